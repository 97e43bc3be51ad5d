package restaurantmode

import (
	"slices"
	"strings"

	"munadi/engine/arabic"
	"munadi/store/restaurant"
)

// switchPhrase is one entry or exit phrase: its normalized words and the mode it leads to.
type switchPhrase struct {
	words []string
	to    restaurant.SessionMode
}

func parseSwitchPhrases(list []string, to restaurant.SessionMode) []switchPhrase {
	out := make([]switchPhrase, 0, len(list))
	for _, s := range list {
		if words := strings.Fields(arabic.FoldSpelling(s)); len(words) > 0 {
			out = append(out, switchPhrase{words, to})
		}
	}
	return out
}

// lastSwitch finds the last switch phrase in a transcript (whole words); of those that start at one word the longest,
// whose words belong to no other phrase.
func lastSwitch(heard string, list []switchPhrase) (to restaurant.SessionMode, found bool) {
	words := strings.Fields(arabic.FoldSpelling(heard))
	for i := 0; i < len(words); {
		best := longestMatch(words[i:], list)
		if best == nil {
			i++
			continue
		}
		to, found = best.to, true
		i += len(best.words)
	}
	return to, found
}

func longestMatch(words []string, list []switchPhrase) *switchPhrase {
	var best *switchPhrase
	for i, p := range list {
		fits := len(p.words) <= len(words) && slices.Equal(p.words, words[:len(p.words)])
		if fits && (best == nil || len(p.words) > len(best.words)) {
			best = &list[i]
		}
	}
	return best
}
