package callrules_test

import (
	"strings"
	"testing"

	"munadi/store/callrules"
)

// TestCheckTransfer: a transfer obeys the same rules as a call.
func TestCheckTransfer(t *testing.T) {
	t.Parallel()
	open := callrules.CallRules{}
	saudi := callrules.CallRules{AllowedPrefixes: []string{"+966"}, BlockedPrefixes: []string{"+96655"}}
	for _, c := range []struct {
		rules   callrules.CallRules
		allowed string
		refused string
	}{
		{
			open,
			`+966500000000 tel:+966500000000 tel:+966-50-000-0000 sip:desk@example.org sips:desk@example.org sip:204@pbx.example
			sip:+966500000000@trunk.example sip:00966500000000@trunk.example;user=phone sip:966500000000@trunk.example
			sip:pbx.example sip:pbx.example:5060 sip:192.168.1.10 sip:192.168.1.10:5060 sip:[2001:db8::1] sip:2114@pbx sip:desk;x=1@pbx.example SIP:desk@pbx.example`,
			`+97912345678 +966925000000 tel:+97912345678 tel:+979-12-345-678 TEL:+97912345678 tel:112 tel:911;phone-context=+966
			sip:+97912345678@trunk.example sip:0097912345678@trunk.example sip:97912345678@trunk.example sip:%2B97912345678@trunk.example
			sip:+979(12)345.678@trunk.example sip:%2b979%31%32345678@t sip:112@trunk.example sip:9112@t sip:911@trunk.example sip:0925000000@trunk.example
			sip:+97912345678;user=phone@trunk.example sip:+97912345678 sip:97912345678:5060 sip:+97912345678:5060 sip:*21*97912345678@t
			sip:desk@pbx?Route=%3Csip:evil%3E sip:desk:password@pbx sip:100;phone-context=+97912@t sip:a%40b@c sip:a%3Bx@c sip:%0d%0a@c
			sip: tel: +9 112 http://x sip:%ff@x sip:%zz@x`,
		},
		{
			saudi,
			`+966500000000 sip:+966500000000@trunk.example sip:desk@example.org sip:204@pbx.example`,
			`+966550000000 +971500000000 tel:+971500000000 sip:+971500000000@trunk.example sip:00971500000000@trunk.example
			sip:971500000000@trunk.example sip:+966550000000@trunk.example`,
		},
	} {
		for _, to := range strings.Fields(c.allowed) {
			if err := c.rules.CheckTransfer(to); err != nil {
				t.Errorf("%s: %v", to, err)
			}
		}
		for _, to := range strings.Fields(c.refused) {
			if c.rules.CheckTransfer(to) == nil {
				t.Errorf("%s is allowed", to)
			}
		}
	}
	for _, to := range []string{"", "sip:a b@c", "sip:\r\n@c", "sip:<x>@c", "sip:+٩٧٩١٢٣٤٥٦٧٨@c", "tel:+٩٧٩١٢٣٤٥٦٧٨"} {
		if open.CheckTransfer(to) == nil {
			t.Errorf("%q is allowed", to)
		}
	}
}

// FuzzCheckTransfer: a premium number is not allowed in any form of an address.
func FuzzCheckTransfer(f *testing.F) {
	f.Add("sip:", "@host")
	f.Add("tel:", ";x=1")
	f.Add("sips:", ":5060")
	f.Fuzz(func(t *testing.T, before, after string) {
		to := before + "+97912345678" + after
		err := callrules.CallRules{}.CheckTransfer(to)
		user, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(to), "sip:"), "tel:"), "@")
		if err == nil && user == "+97912345678" {
			t.Errorf("%q is allowed", to)
		}
	})
}
