package apimodel

import (
	"strings"

	"munadi/store/call"
)

// MaskNumber is a telephone number for logs: its country and its last two digits, "+9665•••••01".
func MaskNumber(number string) string { return call.MaskNumber(number) }

// MaskPath is a request's path for logs: a part of it that is a telephone number is masked.
func MaskPath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if numberLike(part) {
			parts[i] = MaskNumber(part)
		}
	}
	return strings.Join(parts, "/")
}

// numberLike says whether all of s are seven or more digits, behind a plus or not.
func numberLike(s string) bool {
	digits := strings.TrimPrefix(strings.TrimSpace(s), "+")
	return len(digits) >= 7 && strings.Trim(digits, "0123456789") == ""
}
