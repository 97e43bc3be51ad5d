package sip_test

import (
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/sip/sipptest"
)

// startInboundCaller runs SIPp as a client that calls us, until the end of its scenario.
func startInboundCaller(t *testing.T, c *sip.Carrier, tcp bool, steps ...scenarioStep) {
	t.Helper()
	peer := sipptest.PlayScenario(t, sipptest.ScenarioSettings{Scenario: joinScenario(steps...), Calls: c.Address(), TCP: tcp})
	select {
	case <-peer.ExitedChan():
	case <-time.After(patience):
		t.Error("SIPp waits")
	}
}

// TestInboundRequestsAreRefused checks that inbound calls and requests for unknown calls are refused.
func TestInboundRequestsAreRefused(t *testing.T) {
	t.Parallel()
	outside := func(method string) scenarioStep {
		return sendStep(true, []string{
			method + " sip:someone@[remote_ip]:[remote_port] SIP/2.0",
			"Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From: <sip:stranger@[local_ip]>" + tag,
			"To: <sip:someone@[remote_ip]>", "Call-ID: [call_id]", "CSeq: 1 " + method, "Max-Forwards: 70", contact,
		})
	}
	unknown := func(method string) scenarioStep {
		return scenarioStep(strings.Replace(string(outside(method)), "To: <sip:someone@[remote_ip]>", "To: <sip:someone@[remote_ip]>;tag=never", 1))
	}
	ack := withoutRetransmission(scenarioStep(strings.Replace(string(outside("ACK")), "branch=[branch]", "branch=[branch-2]", 1)))
	c := openCarrier(t, silentAddress(t))
	for name, steps := range map[string][]scenarioStep{
		"INVITE":               {outside("INVITE"), `<recv response="100" optional="true"/>`, receiveStep("480"), ack},
		"INVITE of a call":     {unknown("INVITE"), `<recv response="100" optional="true"/>`, receiveStep("481"), ack},
		"OPTIONS":              {outside("OPTIONS"), receiveStep("200")},
		"BYE":                  {unknown("BYE"), receiveStep("481")},
		"NOTIFY":               {unknown("NOTIFY"), receiveStep("481")},
		"CANCEL":               {outside("CANCEL"), receiveStep("481")},
		"a method of its own":  {outside("FLATTER"), receiveStep("405")},
		"MESSAGE":              {outside("MESSAGE"), receiveStep("405")},
		"REFER":                {outside("REFER"), receiveStep("405")},
		"ACK, then OPTIONS":    {ack, outside("OPTIONS"), receiveStep("200")},
		"INVITE without sound": {scenarioStep(strings.Replace(string(outside("INVITE")), contact, "", 1)), `<recv response="100" optional="true"/>`, receiveStep("480"), ack},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			startInboundCaller(t, c, false, steps...)
		})
	}
}
