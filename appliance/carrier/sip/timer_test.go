package sip_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"munadi/appliance/carrier"
)

// TestSessionTimer (RFC 4028): where we are to refresh we do, by UPDATE or, where the peer does not know it, by INVITE.
func TestSessionTimer(t *testing.T) {
	t.Parallel()
	const timer = "Session-Expires: 20;refresher=uac" // what is shorter is over when a machine stands still
	ok := replies("200 OK", timer, "Require: timer", contact)
	again := then(replies("200 OK", append([]string{timer, "Require: timer", contact}, sound(mediaHere)...)...), repeated)
	t.Run("by UPDATE", func(t *testing.T) {
		t.Parallel()
		peer := sipp(t, scenario(invited, agrees(timer, "Require: timer", "Allow: INVITE, ACK, BYE, CANCEL, UPDATE"), recv("ACK"),
			recv("UPDATE"), ok, recv("UPDATE"), ok, weHangUp))
		line := dial(t, calls(t, peer.TrunkAddress()))
		ended := talks(t, line)
		if got := peer.await(t, "UPDATE", 2); !strings.HasPrefix(got.get("Session-Expires"), "20") {
			t.Errorf("Session-Expires is %q", got.get("Session-Expires"))
		}
		line.Hangup()
		if err := <-ended; !errors.Is(err, carrier.ErrHungUp) {
			t.Errorf("Next = %v", err)
		}
		peer.await(t, "BYE", 1)
	})
	t.Run("by INVITE", func(t *testing.T) {
		t.Parallel()
		peer := sipp(t, scenario(invited, agrees(timer, "Require: timer"), recv("ACK"), recv("INVITE"), again, recv("ACK"),
			recv("INVITE"), again, recv("ACK"), weHangUp))
		line := dial(t, calls(t, peer.TrunkAddress()))
		ended := talks(t, line)
		peer.await(t, "ACK", 3)
		line.Hangup()
		if err := <-ended; !errors.Is(err, carrier.ErrHungUp) {
			t.Errorf("Next = %v", err)
		}
		peer.await(t, "BYE", 1)
		o := map[string]bool{}
		for _, m := range peer.sent("INVITE") {
			for l := range strings.Lines(m.body) {
				if strings.HasPrefix(l, "o=") {
					o[l] = true
				}
			}
		}
		if len(o) != 1 {
			t.Errorf("a description that did not change has the versions %v (RFC 4028 §7.4)", o)
		}
	})
	t.Run("theirs does not come", func(t *testing.T) {
		t.Parallel()
		peer := sipp(t, scenario(invited, agrees("Session-Expires: 10;refresher=uas", "Require: timer"), recv("ACK"), weHangUp))
		if err := over(t, dial(t, calls(t, peer.TrunkAddress()))); errors.Is(err, carrier.ErrHungUp) {
			t.Errorf("Next = %v: it was not us", err)
		}
		peer.await(t, "BYE", 1)
	})
	t.Run("theirs comes", func(t *testing.T) {
		t.Parallel()
		const theirs = "Session-Expires: 10;refresher=uac" // of the request: who asks refreshes
		var refreshes step
		for n := range 11 {
			refreshes += pause(1000) + asks(n+1, "UPDATE", theirs) + recv("200")
		}
		peer := sipp(t, scenario(invited, agrees("Session-Expires: 10;refresher=uas", "Require: timer"), recv("ACK"),
			refreshes, hangsUp(12)))
		if err := over(t, dial(t, calls(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
			t.Errorf("Next = %v", err)
		}
		for _, m := range peer.answered("UPDATE") {
			if got := m.get("Session-Expires"); !strings.HasPrefix(got, "10;") || !strings.Contains(got, "refresher=uac") {
				t.Errorf("Session-Expires in our answer is %q", got)
			}
		}
	})
}

// TestSessionTooBrief: the trunk wants a longer interval than we offered (RFC 4028 §7.2), even though we offered none.
func TestSessionTooBrief(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, inviteAnswers("422 Session Interval Too Small", "Min-SE: 1800"), recv("ACK"), invited,
		agrees("Session-Expires: 1800;refresher=uac", "Require: timer"), recv("ACK"), weHangUp))
	dial(t, calls(t, peer.TrunkAddress())).Hangup()
	second := peer.await(t, "INVITE", 2)
	var expires, least int
	_, _ = fmt.Sscan(second.get("Session-Expires"), &expires)
	_, _ = fmt.Sscan(second.get("Min-Se"), &least)
	if least != 1800 || expires < 1800 {
		t.Errorf("Session-Expires %q, Min-SE %q", second.get("Session-Expires"), second.get("Min-Se"))
	}
	checkFollows(t, peer.sent("INVITE")[0], second)
}
