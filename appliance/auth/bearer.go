package auth

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The length of a key, in characters.
const (
	minKey = 16
	maxKey = 256
)

// BearerToken is the key in an Authorization header's value. Its scheme may be written in any case (RFC 9110, 11.1) and
// any number of spaces and tabs may surround the key. The error is a [*KeyRefusal].
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

// isPossibleKey says whether s could be a key: 16 to 256 printable characters, the outer ones no spaces, which a header
// would lose.
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
