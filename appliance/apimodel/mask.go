package apimodel

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"munadi/store/call"
)

// MaskNumber masks a telephone number for logs: its country and its last two digits remain, "+9665•••••01".
func MaskNumber(number string) string { return call.MaskNumber(number) }

var (
	// pathNumber matches seven or more digits of any script with a plus sign, and with what people write between them.
	pathNumber = regexp.MustCompile(`\+?\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){6,}`)
	// pathUUID matches the end of a record's id, whose digits are no number.
	pathUUID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
)

// MaskPath masks the token of the set-up link, API keys and telephone numbers in a request's path, for logs, also those
// that are not written as the route wants them.
func MaskPath(path string) string {
	parts := strings.Split(secretInText.ReplaceAllString(path, "$1$2$3•••"), "/")
	secret := false
	for i, part := range parts {
		switch {
		case secret && part != "":
			parts[i] = "•••"
		case !pathUUID.MatchString(part):
			parts[i] = pathNumber.ReplaceAllStringFunc(part, maskWritten)
		}
		secret = secret || strings.EqualFold(part, "setup")
	}
	return strings.Join(parts, "/")
}

// maskWritten is MaskNumber for a number as someone wrote it; one in other digits than 0 to 9 is masked entirely.
func maskWritten(number string) string {
	if len(number) != utf8.RuneCountInString(number) {
		return MaskNumber("")
	}
	return MaskNumber(number)
}
