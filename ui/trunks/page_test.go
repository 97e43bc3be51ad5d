package trunks

import (
	"regexp"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestFaultsNameFields: what a text about a fault says to check is named as the form has it; a host of such a name stays.
func TestFaultsNameFields(t *testing.T) {
	t.Parallel()
	const advice = "check address, port and transport in sip-trunk, and that the firewall allows requests from sip-listen and their answers"
	settings := regexp.MustCompile(`sip-(?:trunks?|user|from|calls-per-second)\b|MUNADI_|\blines\b`)
	for _, l := range []locale.Language{locale.Arabic, locale.English} {
		names := FieldNames(l)
		for _, cause := range []string{"credentials", "account", "overload", "server", "silent", "media", "request"} {
			if got := names.Replace(locale.DescribeRefusal(l, cause, "403").Do); settings.MatchString(got) || got == "" {
				t.Errorf("%s: %s", cause, got)
			}
		}
		for _, message := range []string{
			"lookup a: no such host: check sip-trunk, and this machine's DNS",
			"SIP status 403: the trunk does not know the user: check sip-user and MUNADI_SIP_PASSWORD",
			"dial: nothing listens there; check the port and transport in sip-trunk",
			"sip-trunks: a has a user, but its stored password cannot be used: type it again on its page of the console",
			"no answer within 5s: " + advice, "broken: " + advice,
		} {
			got := locale.TrunkFault(l, message, names)
			if settings.MatchString(got) || !strings.Contains(got, "“") && !strings.Contains(got, "«") && !strings.HasPrefix(message, "sip-trunks") {
				t.Errorf("%s: %s", message, got)
			}
		}
		if got := locale.TrunkFault(l, "lookup sip-trunk.example.com: no such host: check sip-trunk, and this machine's DNS", names); !strings.Contains(got, "sip-trunk.example.com") {
			t.Errorf("a host's name: %s", got)
		}
	}
}
