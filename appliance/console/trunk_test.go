package console_test

import (
	"testing"
	"time"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/tlscert"
	"munadi/store/account"
)

// TestTrunk checks that every user sees that calls wait for a trunk and since when, and that its address and faults are
// shown only to governors; and that calls wait for the first trunk to be set.
func TestTrunk(t *testing.T) {
	t.Parallel()
	trunks := []kit.TrunkVitals{{
		Address: "trunk.example.com:5060 over UDP", Since: time.Date(2026, 11, 21, 9, 12, 0, 0, time.UTC), Registers: true,
		Fault: "no answer",
	}}
	trunk := &trunks[0]
	b := newBench(t, func(d *console.Dependencies) {
		d.Simulated, d.Gate = false, peopleGate{}
		d.PublicURL = func() string { return "http://munadi.test" }
		d.Certificate = func() tlscert.CertificateSource { return nil }
		d.Vitals = func() kit.ApplianceVitals { return kit.ApplianceVitals{Trunks: trunks} }
	})
	b.getPage(account.Viewer, "").wantStatus(200).wantTexts("Calls wait for the SIP trunk", "2026-11-21 09:12", "it really rings").
		wantNoTexts("in the simulator")
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("calls wait", "not now").wantNoTexts("trunk.example.com", "no answer", "simulated")
	home := account.Organization{ID: account.Default, Name: "home", CreatedAt: b.now}
	if err := b.store.CreateOrganization(t.Context(), home, "test"); err != nil {
		t.Fatal(err)
	}
	b.getPage(governor, "/system").wantStatus(200).wantTexts("trunk.example.com", "no answer")
	trunk.Fault, trunk.Cause, trunk.Answer = "", "account", "403 Forbidden"
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("calls wait").wantNoTexts("403 Forbidden")
	b.getPage(governor, "/system").wantStatus(200).wantTexts("calls wait", "403 Forbidden", "caller number", "without losing an attempt")
	b.lang = "ar"
	b.getPage(governor, "/system").wantStatus(200).wantTexts("403 Forbidden", "رقم المتصل", "ولا تخسر محاولة")
	b.lang = ""
	until := b.now.Add(5 * time.Minute)
	*trunk = kit.TrunkVitals{Up: true, Since: trunk.Since, Registers: true, Registered: &until}
	b.getPage(account.Viewer, "").wantStatus(200).wantNoTexts("Calls wait for the SIP trunk")
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("ready to dial", "Registered until")
	trunk.Calls, trunk.Lines = 1, 2
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("1 / 2").wantNoTexts("All lines in use")
	trunk.Calls = 2
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("2 / 2", "All lines in use")
	trunk.Unheard, trunk.Registered, trunk.Registers = true, nil, false
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("not known yet whether it takes calls").wantNoTexts("ready to dial")
	trunks = nil
	b.getPage(account.Viewer, "").wantStatus(200).wantTexts("No SIP trunk is set", "until an administrator adds one", "Open the system page")
	b.getPage(governor, "").wantStatus(200).wantTexts("Open SIP trunks", `href="/console/trunks"`)
	b.getPage(account.Viewer, "/system").wantStatus(200).wantTexts("No SIP trunk is set: calls wait.").wantNoTexts("simulated")
}
