package wire

import (
	"net/netip"
	"regexp"
)

// What lines of a log may hold that is nobody else's business. The log masks numbers by itself; this is the net under
// it, for lines that leave the machine.
var (
	secretInText  = regexp.MustCompile(`mnd_\w+|(/setup/)[\w-]+|(?i)(bearer )\S+|([?&](?:t|token|key)=)[^&\s"]+`)
	numberInText  = regexp.MustCompile(`\+?\d{7,}`)
	addressInText = regexp.MustCompile(`\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]`)
)

// Scrub is a text without keys, links that open something, telephone numbers and addresses of other machines.
func Scrub(text string) string {
	text = secretInText.ReplaceAllString(text, "$1$2$3•••")
	text = addressInText.ReplaceAllStringFunc(text, func(found string) string {
		bare := found
		if found[0] == '[' {
			bare = found[1 : len(found)-1]
		}
		if a, err := netip.ParseAddr(bare); err != nil || a.IsLoopback() || a.IsUnspecified() {
			return found
		}
		return "[address]"
	})
	return numberInText.ReplaceAllStringFunc(text, Mask)
}
