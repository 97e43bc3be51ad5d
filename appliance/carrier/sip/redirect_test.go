package sip_test

import (
	"testing"

	"munadi/appliance/carrier/sip"
)

// TestRedirection: 302 leads to another server for the same number, once; another number is not called.
func TestRedirection(t *testing.T) {
	t.Parallel()
	there := sipp(t, alive("200 OK", answered()...))
	moved := func(contact string) []step {
		return []step{invited, inviteAnswers("302 Moved Temporarily", "Contact: <"+contact+">"), recv("ACK")}
	}
	to := "@" + there.At.String()
	t.Run("followed", func(t *testing.T) {
		peer := sipp(t, alive("200 OK", moved("sip:"+number("01")+to)...))
		dial(t, calls(t, peer.TrunkAddress())).Hangup()
		there.await(t, "BYE", 1)
	})
	t.Run("another number", func(t *testing.T) {
		peer := sipp(t, alive("200 OK", moved("sip:+9639999999"+to)...))
		wantCode(t, "the status", refused(t, calls(t, peer.TrunkAddress())).SIPCode, 302)
	})
	if n := len(there.sent("INVITE")); n != 1 {
		t.Errorf("%d INVITE", n)
	}
}

// TestIdentity: the number that the operator knows us by is in every INVITE, where it is set.
func TestIdentity(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, inviteAnswers("486 Busy Here"), recv("ACK")))
	_ = refused(t, calls(t, peer.TrunkAddress(), func(o *sip.TrunkOptions) { o.Identity = "+966112345678" }))
	want := "<sip:+966112345678@" + peer.At.Addr().String() + ">"
	if got := peer.await(t, "INVITE", 1).get("P-Asserted-Identity"); got != want {
		t.Errorf("P-Asserted-Identity is %q, want %q", got, want)
	}
}
