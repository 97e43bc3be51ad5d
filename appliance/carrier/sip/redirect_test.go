package sip_test

import (
	"testing"

	"munadi/appliance/carrier/sip"
)

// TestRedirection checks that a 302 to another server is followed once for the same number, and that another number is
// not called.
func TestRedirection(t *testing.T) {
	t.Parallel()
	there := startSIPp(t, answerKeepAlive("200 OK", dialAnswered()...))
	moved := func(contact string) []scenarioStep {
		return []scenarioStep{invited, inviteAnswers("302 Moved Temporarily", "Contact: <"+contact+">"), receiveStep("ACK")}
	}
	to := "@" + there.At.String()
	t.Run("followed", func(t *testing.T) {
		peer := startSIPp(t, answerKeepAlive("200 OK", moved("sip:"+anyNumber("01")+to)...))
		dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
		there.awaitRequest(t, "BYE", 1)
	})
	t.Run("another number", func(t *testing.T) {
		peer := startSIPp(t, answerKeepAlive("200 OK", moved("sip:+9639999999"+to)...))
		wantCode(t, "the status", dialRefused(t, openCarrier(t, peer.TrunkAddress())).SIPCode, 302)
	})
	if n := len(there.sentRequests("INVITE")); n != 1 {
		t.Errorf("%d INVITE", n)
	}
}

// TestIdentity checks that the configured identity number is in every INVITE.
func TestIdentity(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("486 Busy Here"), receiveStep("ACK")))
	_ = dialRefused(t, openCarrier(t, peer.TrunkAddress(), func(o *sip.TrunkOptions) { o.Identity = "+966112345678" }))
	want := "<sip:+966112345678@" + peer.At.Addr().String() + ">"
	if got := peer.awaitRequest(t, "INVITE", 1).headerValue("P-Asserted-Identity"); got != want {
		t.Errorf("P-Asserted-Identity is %q, want %q", got, want)
	}
}
