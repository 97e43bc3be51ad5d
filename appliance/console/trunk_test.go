package console_test

import (
	"testing"
	"time"

	"munadi/appliance/certificate"
	"munadi/appliance/console"
	"munadi/store/org"
	"munadi/store/scenario"
)

// TestTrunk: who waits for calls sees that they wait, and since when; what the trunk is and says is for the governor.
func TestTrunk(t *testing.T) {
	t.Parallel()
	trunk := console.Trunk{
		Address: "trunk.example.com:5060 over UDP", Since: time.Date(2026, 11, 21, 9, 12, 0, 0, time.UTC), Registers: true,
		Fault: "no answer",
	}
	b := newBench(t, func(d *console.Deps) {
		d.Simulated = false
		d.BuiltIn = func() []scenario.Scenario { return nil }
		d.PublicURL = func() string { return "http://munadi.test" }
		d.Certificate = func() certificate.Source { return nil }
		d.Vitals = func() console.Vitals { shown := trunk; return console.Vitals{Trunk: &shown} }
	})
	b.get(org.Viewer, "").want(200).says("Calls wait for the SIP trunk", "2026-11-21 09:12", "it really rings").
		not("in the simulator")
	b.get(org.Viewer, "/system").want(200).says("calls wait", "not now").not("trunk.example.com", "no answer", "simulated")
	until := b.now.Add(5 * time.Minute)
	trunk = console.Trunk{Up: true, Since: trunk.Since, Registers: true, Registered: &until}
	b.get(org.Viewer, "").want(200).not("Calls wait for the SIP trunk")
	b.get(org.Viewer, "/system").want(200).says("calls go out", "Registered until")
}
