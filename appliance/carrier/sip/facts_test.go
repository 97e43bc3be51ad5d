package sip_test

import (
	"slices"
	"testing"

	"munadi/appliance/carrier"
)

// TestFactsOfACall checks what is reported at the end of a call: received statuses, codec and packets.
func TestFactsOfACall(t *testing.T) {
	t.Parallel()
	// Without the pauses the SIP library, which reads each message in its own goroutine, may deliver the 200 first.
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("100 Trying"), pauseStep(1000), inviteAnswers("180 Ringing"),
		inviteAnswers("180 Ringing"), pauseStep(1000), agreeAnswer(), receiveStep("ACK"), plays, weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	for now := line.(carrier.MeasuredLine).Measure(); now.Sent < 50 || now.Received < 50; now = line.(carrier.MeasuredLine).Measure() {
		if _, err := line.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	line.Hangup()
	got := line.(carrier.MeasuredLine).Measure()
	if !slices.Equal(got.SIPCodes, []int{100, 180, 200}) || got.Codec != "PCMA" || got.Encrypted {
		t.Errorf("%+v", got)
	}
	if got.Sent < 50 || got.Received < 50 || got.Lost > got.Received || got.Foreign != 0 {
		t.Errorf("packets: %+v", got)
	}
	peer.awaitRequest(t, "BYE", 1)
}

// TestFactsOfARefusal checks that a call that was not answered reports the responses to it, challenges included.
func TestFactsOfARefusal(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("407 Proxy Authentication Required", "Proxy-Authenticate: "+challenge), receiveStep("ACK"),
		invited, inviteAnswers("100 Trying"), pauseStep(1000), inviteAnswers("486 Busy Here"), receiveStep("ACK")))
	r := dialRefused(t, openCarrier(t, peer.TrunkAddress()))
	if r.Line == nil || !slices.Equal(r.Line.SIPCodes, []int{407, 100, 486}) || r.Line.Codec != "" {
		t.Errorf("%+v", r.Line)
	}
}
