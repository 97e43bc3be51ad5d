package restaurantmode

import (
	_ "embed"
	"strings"

	"munadi/store/restaurant"
)

// menu.txt is the built-in phrase list: one phrase a line, headings begin with '#'.
//
//go:embed menu.txt
var menu string

// BuiltIn returns the default phrases. The caller owns the lists.
func BuiltIn() restaurant.PhraseSet {
	return restaurant.PhraseSet{
		Bias: formatLines(menu), Enter: []string{"وضع المطعم"}, Exit: []string{"إنهاء وضع المطعم"},
	}
}

func formatLines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
