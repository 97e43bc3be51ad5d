package realtime

import (
	"math"
	"strings"

	"munadi/engine/arabic"
)

// stablePrefix turns changing partial transcripts into a stable prefix by local agreement: words on which two
// consecutive partial results agree are emitted (Macháček, Dabre and Bojar, "Turning Whisper into Real-Time
// Transcription System", 2023).
//
// A partial result that differs from the emitted words is aligned to them by edit distance and continues from there.
type stablePrefix struct {
	given  []string // emitted words
	before []string // words after the emitted ones in the previous partial result
}

// pushText takes a partial result and returns newly stable text, "" for none. With grows, of a streaming model that
// never retracts words, only the last word can still change.
func (a *stablePrefix) pushText(text string, grows bool) string {
	words := strings.Fields(text)
	rest := words[alignGivenWords(a.given, words):]
	agreed := countCommonPrefix(a.before, rest)
	if grows {
		agreed = max(agreed, len(rest)-1)
	}
	a.before = rest[agreed:]
	return a.takeWords(rest[:agreed])
}

// pushFinal takes the final text and returns the part that is not emitted yet.
func (a *stablePrefix) pushFinal(text string) string {
	words := strings.Fields(text)
	return a.takeWords(words[alignGivenWords(a.given, words):])
}

func (a *stablePrefix) takeWords(words []string) string {
	if len(words) == 0 {
		return ""
	}
	fresh := strings.Join(words, " ")
	if len(a.given) > 0 {
		fresh = " " + fresh
	}
	a.given = append(a.given, words...)
	return fresh
}

// countCommonPrefix counts the common leading words.
func countCommonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// alignGivenWords returns how many of the words correspond to the emitted ones: the prefix of words with the least edit
// distance to given; ties are broken by the same last word, then by equal length.
func alignGivenWords(given, words []string) int {
	if n := countCommonPrefix(given, words); n == len(given) {
		return n
	}
	row := arabic.PrefixDistances(given, words)
	best := 0
	for j := 1; j <= len(words); j++ {
		same := words[j-1] == given[len(given)-1]
		if row[j] < row[best] || row[j] == row[best] && (same || j <= len(given) && !endsWithWords(words, best, given)) {
			best = j
		}
	}
	return best
}

// endsWithWords reports whether the first n words end with the last word of given.
func endsWithWords(words []string, n int, given []string) bool {
	return n > 0 && words[n-1] == given[len(given)-1]
}

// safeLog returns the log of a probability, limited since JSON has no infinity.
func safeLog(p float64) float64 { return math.Log(math.Max(p, 1e-9)) }
