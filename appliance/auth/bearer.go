package auth

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Length limits of a key, in characters.
const (
	minKey = 16
	maxKey = 256
)

// BearerToken returns the key in an Authorization header's value. Its scheme may be written in any case (RFC 9110,
// 11.1) and any number of spaces and tabs may surround the key. The error is a [*KeyRefusal].
func BearerToken(value string) (string, error) {
	value = strings.Trim(value, " \t")
	if value == "" {
		return "", &KeyRefusal{ReasonMissing}
	}
	scheme, rest, ok := strings.Cut(value, " ")
	presented := strings.Trim(rest, " \t")
	if !ok || !strings.EqualFold(scheme, "bearer") || !isPossibleKey(presented) {
		return "", &KeyRefusal{ReasonMalformed}
	}
	return presented, nil
}

// isPossibleKey reports whether s has the form of a key: 16 to 256 printable characters, no space at either end,
// which a header would lose.
func isPossibleKey(s string) bool {
	if len(s) > maxKey*utf8.UTFMax || s != strings.Trim(s, " \t") || !utf8.ValidString(s) {
		return false
	}
	n := 0
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
		n++
	}
	return n >= minKey && n <= maxKey
}
