package config

import (
	"fmt"
	"strings"
)

// unknownKey says that there is no such setting, and which one may be meant.
func unknownKey(name string) string {
	inFile := func(s setting) bool { return !s.secret && s.name != fileSetting }
	if meant, ok := nearestSetting(name, inFile); ok {
		return fmt.Sprintf("unknown key %q (did you mean %q?)", name, meant.name)
	}
	return fmt.Sprintf("unknown key %q", name)
}

// nearestSetting is the setting, of those that may be, whose name is most like this one, unless none is.
func nearestSetting(name string, may func(setting) bool) (best setting, ok bool) {
	least := len(name)/2 + 1
	for _, s := range listSettings() {
		if d := editDistance(strings.ToLower(strings.ReplaceAll(name, "_", "-")), s.name); d < least && may(s) {
			best, least, ok = s, d, true
		}
	}
	return best, ok
}

// editDistance is Levenshtein's: how many bytes must be added, removed or replaced to make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1) // row[j]: distance of the part of a so far to b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
