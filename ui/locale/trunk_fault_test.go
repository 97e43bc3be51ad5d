package locale_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"munadi/ui/locale"
)

// TestTrunkFaultsAreTranslated: what the check of a SIP trunk says has an Arabic sentence, by the messages in its source.
func TestTrunkFaultsAreTranslated(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../appliance/carrier/trunk/check.go")
	if err != nil {
		t.Fatal(err)
	}
	advice := regexp.MustCompile(`const unansweredAdvice = "([^"]+)"\s*\+\s*"([^"]+)"`).FindStringSubmatch(string(source))
	_, explained, _ := strings.Cut(string(source), "\nfunc ExplainError(")
	said := regexp.MustCompile(`Sprintf\("([^"]+)"`).FindAllStringSubmatch(explained, -1)
	if len(said) < 6 || advice == nil {
		t.Fatalf("%d messages in the source", len(said))
	}
	for _, one := range said {
		message := one[1]
		if before, ok := strings.CutSuffix(message, ": %s"); ok {
			message = before + ": " + advice[1] + advice[2]
		}
		message = strings.ReplaceAll(message, "%s", "x")
		if got := locale.TrunkFault(locale.Arabic, message, false); got == message || strings.Contains(got, "{") {
			t.Errorf("%q is told as %q", message, got)
		}
	}
	responses, err := os.ReadFile("../../appliance/carrier/sip/transfer.go")
	if err != nil {
		t.Fatal(err)
	}
	advised := regexp.MustCompile(`return text \+ "([^"]+)"`).FindAllStringSubmatch(string(responses), -1)
	if len(advised) < 4 {
		t.Fatalf("%d messages of responses in the source", len(advised))
	}
	for _, one := range append(advised, []string{"", ""}, []string{"", ": check sip-user and MUNADI_SIP_PASSWORD"}) {
		if got := locale.TrunkFault(locale.Arabic, "SIP status 503"+one[1], false); !strings.Contains(got, "503") || strings.Contains(got, "status") {
			t.Errorf("%q is told as %q", one[1], got)
		}
	}
	if got := locale.TrunkFault(locale.Arabic, "something else", false); got != "something else" {
		t.Errorf("an unknown message is told as %q", got)
	}
	facts := map[string]string{"fault": "no answer within 5s: " + advice[1] + advice[2]}
	if got := locale.DescribeAlert(locale.Arabic, "trunk_down", "main", facts).What; strings.Contains(got, "check") {
		t.Errorf("the alert says %q", got)
	}
}

// TestTrunkFaultsNameFields: what a text about a fault says to check is named as the form has it; a host of such a name stays.
func TestTrunkFaultsNameFields(t *testing.T) {
	t.Parallel()
	const advice = "check address, port and transport in sip-trunk, and that the firewall allows requests from sip-listen and their answers"
	settings := regexp.MustCompile(`sip-(?:trunks?|listen|user|from|calls-per-second)\b|MUNADI_|\blines\b`)
	for _, l := range []locale.Language{locale.Arabic, locale.English} {
		for _, cause := range []string{"credentials", "account", "overload", "server", "silent", "media", "request"} {
			if got := locale.DescribeRefusal(l, cause, "403", true).Do; settings.MatchString(got) || got == "" {
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
			got := locale.TrunkFault(l, message, true)
			if settings.MatchString(got) || !strings.Contains(got, "“") && !strings.Contains(got, "«") && !strings.HasPrefix(message, "sip-trunks") {
				t.Errorf("%s: %s", message, got)
			}
		}
		if got := locale.TrunkFault(l, "lookup sip-trunk.example.com: no such host: check sip-trunk, and this machine's DNS", true); !strings.Contains(got, "sip-trunk.example.com") {
			t.Errorf("a host's name: %s", got)
		}
	}
}
