package apimodel

import (
	"net/netip"
	"regexp"
	"strings"
)

// What lines of a log may hold that is nobody else's business. The log masks numbers by itself; this is the net under
// it, for lines that leave the machine.
var (
	secretInText = regexp.MustCompile(`mnd_\w+|(/setup/)[\w-]+|(?i)(bearer )\S+|([?&](?:t|token|key)=)[^&\s"]+`)
	numberInText = regexp.MustCompile(`\+?\d{7,}`)
	// What looks like an address; the second also finds times, which are none.
	ipv4InText = regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}`)
	ipv6InText = regexp.MustCompile(`\[[0-9a-fA-F:]+\]|(?:[0-9a-fA-F]{1,4}|:):[0-9a-fA-F:]*(?:[0-9a-fA-F]|::)`)
)

// ScrubText is a text without keys, links that open something, telephone numbers and addresses of other machines.
func ScrubText(text string) string {
	text = secretInText.ReplaceAllString(text, "$1$2$3•••")
	text = ipv4InText.ReplaceAllStringFunc(text, hideAddress)
	text = ipv6InText.ReplaceAllStringFunc(text, hideAddress)
	return numberInText.ReplaceAllStringFunc(text, MaskNumber)
}

// hideAddress replaces what is an address of another machine.
func hideAddress(found string) string {
	a, err := netip.ParseAddr(strings.Trim(found, "[]"))
	if err != nil || a.IsLoopback() || a.IsUnspecified() {
		return found
	}
	return "[address]"
}
