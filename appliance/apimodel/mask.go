package apimodel

import (
	"net/netip"
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

// Secrets and personal data in log lines. The log already masks numbers; these patterns are an additional protection
// for log lines that leave the machine in a support bundle.
var (
	secretInText = regexp.MustCompile(`mnd_\w+|(/setup/)[\w-]+|(?i)(bearer )\S+|([?&](?:t|token|key)=)[^&\s"]+`)
	numberInText = regexp.MustCompile(`\+?\d{7,}`)
	// IP addresses; the second pattern also matches times of day, which are not addresses.
	ipv4InText = regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}`)
	ipv6InText = regexp.MustCompile(`\[[0-9a-fA-F:]+\]|(?:[0-9a-fA-F]{1,4}|:):[0-9a-fA-F:]*(?:[0-9a-fA-F]|::)`)
)

// ScrubText redacts keys, signed links, telephone numbers and IP addresses of other machines in a text.
func ScrubText(text string) string {
	text = secretInText.ReplaceAllString(text, "$1$2$3•••")
	text = ipv4InText.ReplaceAllStringFunc(text, hideAddress)
	text = ipv6InText.ReplaceAllStringFunc(text, hideAddress)
	return numberInText.ReplaceAllStringFunc(text, MaskNumber)
}

// hideAddress redacts an IP address, unless it is loopback or unspecified.
func hideAddress(found string) string {
	a, err := netip.ParseAddr(strings.Trim(found, "[]"))
	if err != nil || a.IsLoopback() || a.IsUnspecified() {
		return found
	}
	return "[address]"
}
