package callrules_test

import (
	"strings"
	"testing"

	"munadi/store/callrules"
)

// hostileTargets are not allowed under any rules: dialled, they would reach a premium-rate, emergency or unknown number,
// or a switch would read from them something else than what was judged.
const hostileTargets = `
	tel:+1/9005551234 tel:+19005551234x tel:+19005551234, tel:+1%2F9005551234 tel:+19005551234;ext=1 tel:+19005551234;isub=1
	tel:112 tel:911 tel:0925000000 tel:9005551234 tel:911;phone-context=+966 tel:5551234;ph%6fne-context=+1900
	tel:+19005551234 tel:+1-900-555-1234 tel:+1(900)555.1234 TEL:+19005551234 tel:%2B19005551234 tel:%2b1%39005551234
	sip:+1/9005551234@h sip:19005551234,@h sip:,19005551234@h sip:19005551234x@h sip:+19005551234p1@h sip:1900-555-1234@h
	sip:+19005551234@h sip:19005551234@h sip:0019005551234@h sip:01119005551234@h sip:9005551234@h sip:919005551234999@h
	sip:%2B19005551234@h sip:+1%39005551234@h sip:+1%2539005551234@h sip:+19005551234%00@h sip:%31%39%30%30%35%35%35%31%32%33%34@h
	sip:+1(900)555.1234@h sip:*21*19005551234@h sip:%2A21%2A1900@h sip:19005551234%23@h sip:19005551234w@h sip:_1900@h sip:-1900@h
	sip:911@h sip:112@h sip:9911@h sip:99911@h sip:00911@h sip:0911@h sip:000@h sip:+911@h sip:%39%31%31@h sip:0@h
	sip:desk@h;maddr=19005551234 sip:desk@h;method=INVITE sip:desk@h;transport=tcp sip:desk;phone-context=+1900@h
	sip:5551234;ph%6fne-context=+1900@h sip:5551234%3Bphone-context=+1900@h sip:desk@h?Route=%3Csip:evil%3E sip:desk@h? sip:desk@h#x
	sip:desk@h# sip:desk@h/x sip:/desk@h sip://desk@h sip:desk:password@h sip:desk:@h sip::x@h sip:@h sip:desk@ sip:desk sip:19005551234
	sip:+19005551234:5060 sip:h sip:desk@h@i sip:desk%40h@i sip:a@19005551234 sip:a@+19005551234 sip:a@h_x sip:a@-h sip:a@h. sip:a@.h
	sip:a@h%41 sip:a@%31%39 sip:a@h:0 sip:a@h:65536 sip:a@h: sip:a@h:5060x sip:a@[::1 sip:a@[h] sip:a@[fe80::1%25eth0] sip:a@1.2.3.4.5
	sip:desk@h,sip:+19005551234@h sip:a!@h sip:a$b@h sip:a&b=c@h sip:a~b@h sip:a%zz@h sip:a%ff@h sip:%0d%0aX@h sip:%20a@h
	sip: sips: tel: sip tel + +9 112 00966500000000 966500000000 +966500000000,1 +966500000000;ext=1 http://x mailto:a@h sip+x:a@h
	+19005551234 +979123456789 +881612345678 +19005551234999 +1900555 sips:19005551234@h sips:desk@example.org sips:204@pbx:5061 SIPS:+966500000000@h sips:966500000000@h`

// TestParseTransfer checks forms, normalization and the number that is judged.
func TestParseTransfer(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]callrules.TransferTarget{
		"+966500000000":                  {Number: "+966500000000"},
		"tel:+966500000000":              {Number: "+966500000000"},
		"TEL:%2B966-50.000(0000)":        {Number: "+966500000000"},
		"sip:+966500000000@trunk.x":      {Number: "+966500000000"},
		"sip:%2B966500000000@trunk.x":    {Number: "+966500000000"},
		"sip:00966500000000@trunk.x:506": {Number: "+966500000000"},
		"sip:966500000000@[2001:db8::1]": {Number: "+966500000000"},
		"sip:204@pbx":                    {}, "sip:2114@10.0.0.7:5080": {}, "sip:desk@example.org": {},
		"SIP:Front.Desk_2-b@PBX": {}, "sip:%64esk@pbx": {},
	} {
		got, err := callrules.ParseTransfer(to)
		if err != nil || got.Number != want.Number {
			t.Errorf("%s: number %q, %v", to, got.Number, err)
		}
		again, err := callrules.ParseTransfer(got.String())
		if err != nil || again != got || strings.Contains(got.String(), "%") {
			t.Errorf("%s: %q is read as %q, %v", to, got, again, err)
		}
	}
	for to := range strings.FieldsSeq(hostileTargets) {
		if isAllowed(callrules.CallRules{}, to) {
			t.Errorf("%s is allowed", to)
		}
	}
	for _, to := range []string{
		"", " ", "sip:a b@c", "sip:\r\n@c", "sip:<x>@c", `sip:"x"@c`, "sip:+٩٧٩١٢٣٤٥٦٧٨@c", "tel:+٩٧٩١٢٣٤٥٦٧٨", " +966500000000",
		"sip:مكتب@c", "sip:a@مثال", "+966500000000\n", "sip:" + strings.Repeat("a", 300) + "@h",
	} {
		if isAllowed(callrules.CallRules{}, to) {
			t.Errorf("%q is allowed", to)
		}
	}
}

// isAllowed reports whether a call may be transferred to an address under the rules.
func isAllowed(rules callrules.CallRules, to string) bool {
	target, err := callrules.ParseTransfer(to)
	return err == nil && (target.Number == "" || rules.CheckTransfer(target.Number, nil) == nil)
}

// TestCheckTransfer: the number of a transfer obeys the same rules as that of a call, in any form.
func TestCheckTransfer(t *testing.T) {
	t.Parallel()
	rules := callrules.CallRules{AllowedPrefixes: []string{"+966"}, BlockedPrefixes: []string{"+96655"}}
	for _, form := range []string{"%", "tel:%", "sip:%@trunk.example", "SIP:%@trunk.example:5061"} {
		for number, want := range map[string]bool{"+966500000000": true, "+966550000000": false, "+971500000000": false} {
			if got := isAllowed(rules, strings.Replace(form, "%", number, 1)); got != want {
				t.Errorf("%s in %s: %t", number, form, got)
			}
		}
	}
	for _, to := range []string{"sip:desk@example.org", "sip:204@pbx.example"} {
		if !isAllowed(rules, to) {
			t.Errorf("%s is refused", to)
		}
	}
	if (callrules.CallRules{}).CheckTransfer("+966500000000", &callrules.SuppressionEntry{}) == nil {
		t.Error("a suppressed number is allowed")
	}
}

// FuzzParseTransfer: what is allowed is read in the same way again, has no sign that a switch could take for something
// else, and holds no premium-rate number that was not judged.
func FuzzParseTransfer(f *testing.F) {
	for to := range strings.FieldsSeq(hostileTargets) {
		f.Add(to)
	}
	f.Add("sip:desk@example.org:5060")
	f.Fuzz(func(t *testing.T, to string) {
		if !isAllowed(callrules.CallRules{}, to) {
			return
		}
		target, _ := callrules.ParseTransfer(to)
		text := target.String()
		if again, err := callrules.ParseTransfer(text); err != nil || again != target {
			t.Errorf("%q: %q is read as %q, %v", to, text, again, err)
		}
		user, _, _ := strings.Cut(strings.TrimPrefix(text, "sip:"), "@")
		if strings.ContainsAny(text, ";?#/%&=,*\"<> \r\n\x00") || len(user) > 6 &&
			strings.Trim(user, "+0123456789") == "" && callrules.IsBlocked("+"+strings.TrimLeft(user, "+0")) {
			t.Errorf("%q is allowed", to)
		}
	})
}
