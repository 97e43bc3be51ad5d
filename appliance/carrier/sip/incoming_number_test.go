package sip_test

import (
	"slices"
	"strings"
	"testing"

	message "github.com/emiago/sipgo/sip"

	"munadi/appliance/carrier/sip"
)

// parseInvite returns an INVITE to a target with headers.
func parseInvite(t testing.TB, target string, headers ...string) *message.Request {
	t.Helper()
	head := []string{
		"INVITE " + target + " SIP/2.0", "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKx", "Call-ID: x", "CSeq: 1 INVITE",
	}
	m, err := message.ParseMessage([]byte(strings.Join(append(head, headers...), "\r\n") + "\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*message.Request)
}

func TestCalledNumbers(t *testing.T) {
	t.Parallel()
	const to = "To: <sip:966112345678@trunk.example>"
	for _, c := range []struct {
		target string
		more   []string
		plus   string
		want   []string
	}{
		{"sip:+966112345678@192.0.2.9", []string{to}, "+", []string{"+966112345678"}},
		{"sip:966112345678@192.0.2.9", []string{to}, "", []string{"+966112345678"}},
		{"sip:00966112345678@192.0.2.9", []string{to}, "00", []string{"+966112345678"}},
		{"sip:%2B966112345678;phone-context=+966@192.0.2.9", []string{to}, "+", []string{"+966112345678"}},
		{"sip:account@192.0.2.9", []string{to}, "+", []string{"+966112345678"}},
		{"sip:account@192.0.2.9", []string{"To: <sip:account@x>", "P-Called-Party-ID: <sip:+97141234567@x>"}, "+", []string{"+97141234567"}},
		{"sip:011966112345678@192.0.2.9", []string{to}, "011", []string{"+966112345678"}},
		{"sip:+97141234567@192.0.2.9", []string{to}, "+", []string{"+97141234567", "+966112345678"}},
		{"sip:0112345678@192.0.2.9", []string{"To: <sip:0112345678@x>"}, "+", nil},
		{"sip:192.0.2.9", []string{"To: <sip:x@y>"}, "+", nil},
	} {
		if got := sip.CalledNumbers(parseInvite(t, c.target, c.more...), c.plus); !slices.Equal(got, c.want) {
			t.Errorf("%s %v: %v, want %v", c.target, c.more, got, c.want)
		}
	}
}

func TestInboundCallerNumber(t *testing.T) {
	t.Parallel()
	const from = "From: \"Sara\" <sip:0500000001@trunk.example>;tag=1"
	for want, all := range map[string][][]string{
		"0500000001": {{from}, {from, "Privacy: none"}, {from, "P-Asserted-Identity: <sip:reception@x>"}},
		"+966500000002": {
			{from, `P-Asserted-Identity: "Sara, a <b>" <sip:+966500000002@x;user=phone>`},
			{from, "P-Asserted-Identity: tel:+966-50-000-0002;ext=1"},
			{from, "P-Asserted-Identity: <sip:sara@x>, <tel:+966500000002>"},
			{"From: <sip:anonymous@anonymous.invalid>;tag=1", "P-Asserted-Identity: <sip:+966500000002@x>"},
			{"From: <sip:+966500000002:secret@x>;tag=1"},
		},
		"": {
			{"From: <sip:anonymous@anonymous.invalid>;tag=1"},
			{"From: <sip:anonymous@x>;tag=1"},
			{"From: <sip:0500000001@anonymous.invalid>;tag=1"},
			{from, "Privacy: id", "P-Asserted-Identity: <sip:+966500000002@x>"},
			{from, "Privacy: header;ID"},
			{"From: <sip:x>;tag=1"},
			{"From: <sip:" + strings.Repeat("1", 33) + "@x>;tag=1"},
		},
	} {
		for _, headers := range all {
			if got := sip.CallerNumber(parseInvite(t, "sip:x@y", headers...)); got != want {
				t.Errorf("%v: %q, want %q", headers, got, want)
			}
		}
	}
}

// FuzzCallerNumber: whatever a header holds, a number is made of digits and at most a plus sign before them.
func FuzzCallerNumber(f *testing.F) {
	f.Add(`"a, \"b" <sip:+966500000002@x;user=phone>, <tel:+1-2(3)4.5;ext=6>`)
	f.Add("<sip:%2b1%2")
	f.Fuzz(func(t *testing.T, value string) {
		req := message.NewRequest(message.INVITE, message.Uri{Scheme: "sip", User: value, Host: "x"})
		req.AppendHeader(message.NewHeader("P-Asserted-Identity", value))
		req.AppendHeader(message.NewHeader("P-Called-Party-ID", value))
		for _, got := range append(sip.CalledNumbers(req, "+"), sip.CallerNumber(req)) {
			if strings.Trim(strings.TrimPrefix(got, "+"), "0123456789") != "" || len(got) > 33 {
				t.Errorf("%q is the number %q", value, got)
			}
		}
	})
}
