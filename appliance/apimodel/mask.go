package apimodel

import (
	"strings"

	"munadi/store/call"
)

// MaskNumber masks a telephone number for logs: its country and its last two digits remain, "+9665•••••01".
func MaskNumber(number string) string { return call.MaskNumber(number) }

// MaskPath masks telephone numbers in a request's path, for logs.
func MaskPath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if numberLike(part) {
			parts[i] = MaskNumber(part)
		}
	}
	return strings.Join(parts, "/")
}

// numberLike reports whether s consists of seven or more digits, with or without a plus.
func numberLike(s string) bool {
	digits := strings.TrimPrefix(strings.TrimSpace(s), "+")
	return len(digits) >= 7 && strings.Trim(digits, "0123456789") == ""
}
