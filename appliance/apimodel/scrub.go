package apimodel

import (
	"net/netip"
	"regexp"
	"strings"
)

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
