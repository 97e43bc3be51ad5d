package config

import (
	"fmt"
	"strings"

	"munadi/engine/arabic"
)

// unknownKey returns the fault of an unknown setting, with the most similar name.
func unknownKey(name string) string {
	inFile := func(s settingField) bool { return !s.secret && s.name != fileSetting }
	if meant, ok := nearestSetting(name, inFile); ok {
		return fmt.Sprintf("unknown key %q (did you mean %q?)", name, meant.name)
	}
	return fmt.Sprintf("unknown key %q", name)
}

// nearestSetting returns the setting accepted by may whose name is most similar, if any is.
func nearestSetting(name string, may func(settingField) bool) (best settingField, ok bool) {
	least := len(name)/2 + 1
	for _, s := range listSettings() {
		asked := strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		if d := arabic.EditDistance([]byte(asked), []byte(s.name)); d < least && may(s) {
			best, least, ok = s, d, true
		}
	}
	return best, ok
}
