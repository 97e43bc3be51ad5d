package realtime

import (
	"math"
	"strings"
)

// agreement turns texts that may change into words that are given out for good: those on which two texts in a row
// agree (local agreement: Macháček, Dabre and Bojar, "Turning Whisper into Real-Time Transcription System", 2023).
type agreement struct {
	given  []string // words that are out
	before []string // words of the text before
}

// next takes the text so far and returns what can be given out of it, "" for nothing.
func (a *agreement) next(text string) string {
	words := strings.Fields(text)
	agreed := common(a.before, words)
	a.before = words
	if agreed <= len(a.given) || common(a.given, words) < len(a.given) {
		return ""
	}
	return a.give(words[:agreed])
}

// last takes the final text and returns what of it is not out yet. Where the final text has other words in the place of
// those that are out, what follows them is given.
func (a *agreement) last(text string) string {
	words := strings.Fields(text)
	if len(words) <= len(a.given) {
		return ""
	}
	return a.give(words)
}

func (a *agreement) give(words []string) string {
	fresh := strings.Join(words[len(a.given):], " ")
	if len(a.given) > 0 {
		fresh = " " + fresh
	}
	a.given = append(a.given, words[len(a.given):]...)
	return fresh
}

// common counts the words that two texts begin with alike.
func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// logarithm is that of a probability; JSON has no infinity.
func logarithm(p float64) float64 { return math.Log(math.Max(p, 1e-9)) }
