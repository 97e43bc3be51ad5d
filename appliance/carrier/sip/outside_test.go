package sip_test

import (
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// outsider calls us: SIPp as a client, which ends when its scenario has.
func outsider(t *testing.T, c *sip.Carrier, tcp bool, steps ...step) {
	t.Helper()
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: scenario(steps...), Calls: c.Address(), TCP: tcp})
	select {
	case <-peer.ExitedChan():
	case <-time.After(patience):
		t.Error("SIPp waits")
	}
}

// TestRequestsFromOutside: we take no calls and know of no others.
func TestRequestsFromOutside(t *testing.T) {
	t.Parallel()
	outside := func(method string) step {
		return send(true, []string{
			method + " sip:someone@[remote_ip]:[remote_port] SIP/2.0",
			"Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: <sip:stranger@[local_ip]>" + tag,
			"To: <sip:someone@[remote_ip]>", "Call-ID: [call_id]", "CSeq: 1 " + method, "Max-Forwards: 70", contact,
		})
	}
	unknown := func(method string) step {
		return step(strings.Replace(string(outside(method)), "To: <sip:someone@[remote_ip]>", "To: <sip:someone@[remote_ip]>;tag=never", 1))
	}
	ack := once(step(strings.Replace(string(outside("ACK")), "branch=[branch]", "branch=[branch-2]", 1)))
	c := calls(t, nobody(t))
	for name, steps := range map[string][]step{
		"INVITE":               {outside("INVITE"), `<recv response="100" optional="true"/>`, recv("480"), ack},
		"INVITE of a call":     {unknown("INVITE"), `<recv response="100" optional="true"/>`, recv("481"), ack},
		"OPTIONS":              {outside("OPTIONS"), recv("200")},
		"BYE":                  {unknown("BYE"), recv("481")},
		"NOTIFY":               {unknown("NOTIFY"), recv("481")},
		"CANCEL":               {outside("CANCEL"), recv("481")},
		"a method of its own":  {outside("FLATTER"), recv("405")},
		"MESSAGE":              {outside("MESSAGE"), recv("405")},
		"REFER":                {outside("REFER"), recv("405")},
		"ACK, then OPTIONS":    {ack, outside("OPTIONS"), recv("200")},
		"INVITE without sound": {step(strings.Replace(string(outside("INVITE")), contact, "", 1)), `<recv response="100" optional="true"/>`, recv("480"), ack},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outsider(t, c, false, steps...)
		})
	}
}
