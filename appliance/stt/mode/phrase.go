package mode

import (
	"slices"
	"strings"

	"munadi/engine/text"
	"munadi/store/restaurant"
)

// phrase is one entry or exit phrase: its folded words and the mode it leads to.
type phrase struct {
	words []string
	to    restaurant.Mode
}

func phrases(list []string, to restaurant.Mode) []phrase {
	out := make([]phrase, 0, len(list))
	for _, s := range list {
		if words := strings.Fields(text.Fold(s)); len(words) > 0 {
			out = append(out, phrase{words, to})
		}
	}
	return out
}

// lastSwitch finds the last phrase in what was heard, whole words only; among those that begin at one word the
// longest, and its words belong to no other phrase.
func lastSwitch(heard string, list []phrase) (to restaurant.Mode, found bool) {
	words := strings.Fields(text.Fold(heard))
	for i := 0; i < len(words); {
		best := longest(words[i:], list)
		if best == nil {
			i++
			continue
		}
		to, found = best.to, true
		i += len(best.words)
	}
	return to, found
}

func longest(words []string, list []phrase) *phrase {
	var best *phrase
	for i, p := range list {
		fits := len(p.words) <= len(words) && slices.Equal(p.words, words[:len(p.words)])
		if fits && (best == nil || len(p.words) > len(best.words)) {
			best = &list[i]
		}
	}
	return best
}
