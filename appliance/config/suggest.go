package config

import (
	"fmt"
	"strings"
)

// unknownKey returns the fault of an unknown setting, with the most similar name.
func unknownKey(name string) string {
	inFile := func(s setting) bool { return !s.secret && s.name != fileSetting }
	if meant, ok := nearestSetting(name, inFile); ok {
		return fmt.Sprintf("unknown key %q (did you mean %q?)", name, meant.name)
	}
	return fmt.Sprintf("unknown key %q", name)
}

// nearestSetting returns the setting accepted by may whose name is most similar, if any is.
func nearestSetting(name string, may func(setting) bool) (best setting, ok bool) {
	least := len(name)/2 + 1
	for _, s := range listSettings() {
		if d := editDistance(strings.ToLower(strings.ReplaceAll(name, "_", "-")), s.name); d < least && may(s) {
			best, least, ok = s, d, true
		}
	}
	return best, ok
}

// editDistance returns the Levenshtein distance of a and b: bytes added, removed or replaced.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1) // row[j]: distance of the processed part of a to b[:j]
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
