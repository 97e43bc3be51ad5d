package console_test

import (
	"encoding/pem"
	"net/http/httptest"
	"strings"
	"testing"

	"munadi/appliance/config"
	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/siptrunk"
)

// trunksBench is a console that checks trunks by the rules of the settings.
func trunksBench(t *testing.T, fixed *bool, more ...func(*console.Dependencies)) *consoleFixture {
	t.Helper()
	w := openFixture(t, func(t *testing.T, change ...func(*console.Dependencies)) *consoleBench {
		return newBench(t, append(append(change, more...), func(d *console.Dependencies) {
			d.UseCases.CheckTrunk = func(t siptrunk.Trunk) (found service.FieldViolations) {
				for _, fault := range (config.SIPTrunkSettings{
					Name: t.Name, Trunk: t.Address, User: t.User, Password: "x", Register: t.Register, SRTP: t.SRTP, InboundDigest: t.InboundDigest, Lines: t.Lines,
					Prefixes: t.Prefixes, Listen: t.Listen, Authority: t.Authority, Codecs: t.Codecs,
				}).FindFaults() {
					found.AddViolation(fault.Key, "%v", fault.Err)
				}
				return found
			}
			d.Trunks.AreFixed = func() bool { return *fixed }
		})...)
	})
	w.addPeople()
	return w
}

// TestTrunks: one who governs the installation adds, changes and removes SIP trunks; a password is never shown again,
// and stays for its address and user alone; others find nothing there.
func TestTrunks(t *testing.T) {
	t.Parallel()
	fixed := false
	b := trunksBench(t, &fixed)
	const path = "/trunks"
	add := func(name, address, user, password string) testAnswer {
		return b.postForm(governor, path, newForm("name", name, "trunk", address, "user", user, "password", password, "prefixes", "+966\n+971"))
	}
	add("STC", "sip:me@h", "me you", "").wantStatus(422).wantTexts("Write 1 to 64", "Write an address", "user name without spaces")
	add("stc", "sip:me@h", "", "").wantStatus(422).wantTexts("Write an address")
	add("stc", "sip:h", "me", "").wantStatus(422).wantTexts("Type the password")
	add("stc", "sip:h", "", "secret").wantStatus(422).wantTexts("a password or a registration requires it")
	add("stc", "sip:h", "me", "s3cret-word").wantRedirect("/console/trunks/stc")
	add("stc", "sip:h", "", "").wantStatus(422).wantTexts("no other trunk has")
	listening := func(name, listen string) testAnswer {
		return b.postForm(governor, path, newForm("name", name, "trunk", "sip:h", "listen", listen))
	}
	listening("fixed", "5060").wantStatus(422).wantTexts("Write an IP address and a port")
	listening("fixed", "0.0.0.0:5060").wantRedirect("/console/trunks/fixed")
	listening("again", "0.0.0.0:5060").wantStatus(422).wantTexts("Write an IP address and a port")
	b.postForm(governor, path+"/fixed/delete", newForm()).wantRedirect("/console/trunks")
	b.getPage(governor, path+"/stc").wantStatus(200).wantTexts("One is stored", `value="sip:h"`).wantNoTexts("s3cret-word")
	numbers := "+966: +966112345678, +966112345679"
	change := func(address, user string) testAnswer {
		return b.postForm(governor, path+"/stc", newForm("trunk", address, "user", user, "lines", "9", "caller-numbers", numbers))
	}
	change("sip:h", "me").wantRedirect("/console/trunks/stc")
	change("sip:other", "me").wantStatus(422).wantTexts("Type the password")
	kept, err := b.store.FindTrunks(t.Context(), account.Default)
	if one, at := kept.Find("stc"); err != nil || at != 0 || one.Lines != 9 || len(one.Password) == 0 || len(one.Prefixes) != 2 || len(one.CallerNumbers["+966"]) != 2 {
		t.Errorf("stored %+v, %v", kept, err)
	}
	b.postForm(account.Owner, path, newForm("name", "x", "trunk", "sip:h")).wantStatus(404)
	b.getPage(account.Owner, path+"/stc").wantStatus(404)
	b.getPage(governor, path+"/none").wantStatus(404)
	fixed = true
	b.getPage(governor, path).wantStatus(200).wantTexts("take precedence").wantNoTexts(`name="trunk"`)
	add("new", "sip:h", "", "").wantStatus(409)
	b.getPage(governor, path+"/stc").wantStatus(404)
	fixed = false
	b.postForm(governor, path+"/stc/delete", newForm()).wantRedirect("/console/trunks")
	b.getPage(governor, path).wantStatus(200).wantTexts("No trunks yet")
}

// TestTrunkFaultNamesFields: the fault of a trunk of the console names the form's fields, one of the settings theirs.
func TestTrunkFaultNamesFields(t *testing.T) {
	t.Parallel()
	fixed := false
	b := trunksBench(t, &fixed, func(d *console.Dependencies) {
		d.Vitals = func() kit.ApplianceVitals {
			return kit.ApplianceVitals{Trunks: []kit.TrunkVitals{{Name: "stc", Cause: "credentials", Answer: "403 Forbidden", IsStored: !fixed}}}
		}
	})
	b.postForm(governor, "/trunks", newForm("name", "stc", "trunk", "sip:h")).wantRedirect("/console/trunks/stc")
	b.getPage(governor, "/trunks/stc").wantStatus(200).wantTexts("Check “User name”").wantNoTexts("MUNADI_SIP_PASSWORD")
	b.getPage(governor, "/system").wantStatus(200).wantTexts("Check “User name”").wantNoTexts("MUNADI_SIP_PASSWORD")
	fixed = true
	b.getPage(governor, "/trunks").wantStatus(200).wantTexts("Check sip-user", "MUNADI_SIP_PASSWORD")
}

// TestTrunkConflict: of two who change one trunk at once the second one sees what the first has saved.
func TestTrunkConflict(t *testing.T) {
	t.Parallel()
	fixed := false
	b := trunksBench(t, &fixed)
	b.postForm(governor, "/trunks", newForm("name", "stc", "trunk", "sip:h")).wantRedirect("/console/trunks/stc")
	page := b.getPage(governor, "/trunks/stc").wantStatus(200).Body.String()
	_, rest, _ := strings.Cut(page, `name="revision" value="`)
	revision, _, found := strings.Cut(rest, `"`)
	if !found {
		t.Fatalf("the form has no revision: %s", page)
	}
	save := func(lines string) testAnswer {
		return b.postForm(governor, "/trunks/stc", newForm("trunk", "sip:h", "lines", lines, "revision", revision))
	}
	save("5").wantRedirect("/console/trunks/stc")
	save("6").wantStatus(409).wantTexts("5")
	if kept, err := b.store.FindTrunks(t.Context(), account.Default); err != nil || kept.Trunks[0].Lines != 5 {
		t.Errorf("stored %+v, %v", kept, err)
	}
}

// TestTestCallOfATrunk: a test call is booked over the trunk alone, once; what is wrong is said beside its field.
func TestTestCallOfATrunk(t *testing.T) {
	t.Parallel()
	fixed := false
	b := trunksBench(t, &fixed)
	b.postForm(governor, "/trunks", newForm("name", "stc", "trunk", "sip:h")).wantRedirect("/console/trunks/stc")
	test := func(number, scenario string) testAnswer {
		return b.postForm(governor, "/trunks/stc/test", newForm("phone_number", number, "scenario_id", scenario))
	}
	test("0500", "appointment_confirmation").wantStatus(422)
	test("+966512345699", "none").wantStatus(422)
	booked := test("+966512345699", "appointment_confirmation").wantStatus(303)
	id := strings.TrimPrefix(booked.Header().Get("Location"), "/console/calls/")
	c, err := b.store.FindCall(t.Context(), account.Default, id)
	if err != nil || c.Trunk != "stc" || c.Attempt.Max != 1 {
		t.Errorf("booked %+v, %v", c, err)
	}
}

// TestTrunkAuthorityField: what is wrong with the certificate of a trunk's authority is said in the page's language.
func TestTrunkAuthorityField(t *testing.T) {
	t.Parallel()
	fixed := false
	b := trunksBench(t, &fixed)
	peer := httptest.NewTLSServer(nil)
	defer peer.Close()
	authority := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: peer.Certificate().Raw}))
	key := "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"
	add := func(language, address, ca string, more ...string) testAnswer {
		fields := append([]string{"name", "pbx", "trunk", address, "ca", ca}, more...)
		return b.postForm(governor, "/trunks?lang="+language, newForm(fields...))
	}
	for _, c := range []struct{ address, ca, english, arabic string }{
		{"sip:h", authority, "add ;transport=tls to the address", "إلى العنوان"},
		{"sips:h", "/etc/ca.pem", "It has no certificate in PEM", "لا شهادة فيه بصيغة"},
		{"sips:h", authority[:300], "1\u2069 is cut off or damaged", "ناقصة أو تالفة"},
		{"sips:h", authority + key, "PRIVATE KEY\u2069, which is no certificate", "وليس شهادة"},
		{"sips:h", "-----BEGIN CERTIFICATE-----\neA==\n-----END CERTIFICATE-----", "cannot be used", "لا يمكن استعمالها"},
	} {
		add("en", c.address, c.ca).wantStatus(422).wantTexts(c.english)
		add("ar", c.address, c.ca).wantStatus(422).wantTexts(c.arabic)
	}
	add("en", "sips:h", authority, "codecs", "g729").wantStatus(422).wantTexts("Write some of pcma")
	add("en", "sips:h", strings.ReplaceAll(authority, "\n", "\r\n"), "codecs", "g722\r\npcma").wantRedirect("/console/trunks/pbx")
	kept, err := b.store.FindTrunks(t.Context(), account.Default)
	one, _ := kept.Find("pbx")
	if err != nil || one.Authority != strings.TrimSpace(authority) || strings.Join(one.Codecs, " ") != "g722 pcma" {
		t.Errorf("stored %+v, %v", one, err)
	}
}
