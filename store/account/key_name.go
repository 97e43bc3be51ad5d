package account

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxKeyName is the longest name of a key, in characters.
const maxKeyName = 80

// CheckKeyName checks a key's name: 1 to 80 printable characters.
func CheckKeyName(name string) error {
	n := utf8.RuneCountInString(name)
	if strings.TrimSpace(name) == "" || n > maxKeyName || !utf8.ValidString(name) {
		return fmt.Errorf("a key's name must have 1 to %d characters", maxKeyName)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return errors.New("a key's name must contain only printable characters")
	}
	return nil
}
