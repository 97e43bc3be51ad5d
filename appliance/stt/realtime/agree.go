package realtime

import (
	"math"
	"strings"
)

// stablePrefix turns texts that may change into words that are given out for good: those on which two texts in a row
// agree (local agreement: Macháček, Dabre and Bojar, "Turning Whisper into Real-Time Transcription System", 2023).
//
// A text that has other words than those that are out is laid beside them where it fits best, and goes on from there.
type stablePrefix struct {
	given  []string // words that are out
	before []string // what the text before had behind them
}

// pushText takes the text so far and returns what can be given out of it, "" for nothing.
func (a *stablePrefix) pushText(text string) string {
	words := strings.Fields(text)
	rest := words[alignGivenWords(a.given, words):]
	agreed := countCommonPrefix(a.before, rest)
	a.before = rest[agreed:]
	return a.takeWords(rest[:agreed])
}

// pushFinal takes the final text and returns what of it is not out yet.
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

// countCommonPrefix counts the words that two texts begin with alike.
func countCommonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// alignGivenWords is how many of the words stand for those that are given: the beginning of words that has the least edit
// distance to given, among equals the one that ends with the same word, or is as long.
func alignGivenWords(given, words []string) int {
	if n := countCommonPrefix(given, words); n == len(given) {
		return n
	}
	row := make([]int, len(words)+1) // distances of the given words so far to each beginning
	for j := range row {
		row[j] = j
	}
	for i, g := range given {
		diagonal := row[0]
		row[0] = i + 1
		for j, w := range words {
			cost := diagonal
			if g != w {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	best := 0
	for j := 1; j <= len(words); j++ {
		same := words[j-1] == given[len(given)-1]
		if row[j] < row[best] || row[j] == row[best] && (same || j <= len(given) && !endsWithWords(words, best, given)) {
			best = j
		}
	}
	return best
}

// endsWithWords says whether the first n words end as given does.
func endsWithWords(words []string, n int, given []string) bool {
	return n > 0 && words[n-1] == given[len(given)-1]
}

// safeLog is that of a probability; JSON has no infinity.
func safeLog(p float64) float64 { return math.Log(math.Max(p, 1e-9)) }
