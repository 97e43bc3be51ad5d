package sip_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"munadi/appliance/carrier"
)

// readDigits reads frames until n keys were received.
func readDigits(t *testing.T, line carrier.Line, n int) string {
	t.Helper()
	out := ""
	for range int(patience / carrier.Tick) {
		f, err := line.Next(t.Context())
		if err != nil {
			t.Fatalf("Next = %v after the keys %q", err, out)
		}
		if out += f.Digits; len(out) >= n {
			return out
		}
	}
	t.Fatalf("the keys %q, want %d", out, n)
	return ""
}

// TestKeysByINFO checks both INFO formats of keys (DTMF).
func TestKeysByINFO(t *testing.T) {
	t.Parallel()
	press := func(n int, kind string, lines ...string) scenarioStep {
		return peerRequest(n, "INFO", append([]string{"Content-Type: " + kind, ""}, lines...)...) + receiveStep("200")
	}
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"),
		press(1, "application/dtmf-relay", "Signal=7", "Duration=160"), press(2, "application/dtmf-relay", "Signal= #", "Duration= 160"),
		press(3, "application/dtmf", "*"), press(4, "application/dtmf-relay", "Signal=11"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	if got := readDigits(t, line, 4); got != "7#*#" {
		t.Errorf("the keys %q", got)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestKeysByRTP checks that recorded RFC 4733 events, each of which ends with three packets, are one key each.
func TestKeysByRTP(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SIPp sends recorded packets by a raw socket, which only root may open")
	}
	peer := startSIPp(t, fromFile(t, "testdata/numbers.xml"))
	line, err := openCarrier(t, peer.TrunkAddress()).Dial(t.Context(), newDialRequest("86"))
	if err != nil {
		t.Fatal(err)
	}
	if got := readDigits(t, line, 3); got != "19#" {
		t.Errorf("the keys %q", got)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestRequestsWithinTheDialog checks that OPTIONS and unknown requests within the dialog are answered and the call
// continues; OPTIONS of a dialog that does not exist must not be told that it is up.
func TestRequestsWithinTheDialog(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), peerRequest(1, "OPTIONS"), receiveStep("200"), peerRequest(2, "UPDATE"), receiveStep("200"),
		peerRequest(3, "INFO"), receiveStep("200"), peerRequest(4, "PUBLISH"), receiveStep("405"), peerRequest(5, "FLATTER"), receiveStep("405"),
		peerRequest(6, "MESSAGE", "Content-Type: text/plain", "", "hello"), receiveStep("405"),
		scenarioStep(strings.Replace(string(peerRequest(7, "OPTIONS")), "From: [$to]"+tag, "From: [$to];tag=another", 1)), receiveStep("481"),
		peerRequest(9, "NOTIFY", "Event: refer", "Subscription-State: terminated"), receiveStep("200"),
		// A CSeq lower than the last one is out of order (RFC 3261 §12.2.2).
		peerRequest(8, "INFO"), receiveStep("500"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	peer.awaitAnswer(t, "INFO", 2)
	for _, method := range []string{"OPTIONS", "PUBLISH", "FLATTER"} {
		if allow := peer.awaitAnswer(t, method, 1).headerValue("Allow"); !strings.Contains(allow, "INVITE") || !strings.Contains(allow, "BYE") {
			t.Errorf("Allow in the answer to %s is %q", method, allow)
		}
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestUnansweredHangUp checks that the line ends at once if our BYE is never answered, and the carrier soon after.
func TestUnansweredHangUp(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), receiveStep("BYE"), pauseStep(4000)))
	c := openCarrier(t, peer.TrunkAddress())
	line := dialLine(t, c)
	line.Hangup()
	if _, err := line.Next(t.Context()); !errors.Is(err, carrier.ErrHungUp) {
		t.Errorf("Next = %v", err)
	}
	peer.awaitRequest(t, "BYE", 2)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseEndsCalls checks that closing the carrier ends its calls.
func TestCloseEndsCalls(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), weHangUp))
	c := openCarrier(t, peer.TrunkAddress())
	line := dialLine(t, c)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := awaitLineEnd(t, line); err == nil {
		t.Error("the line goes on")
	}
	if n := len(peer.sentRequests("BYE")); n != 1 {
		t.Errorf("%d BYE", n)
	}
}

// TestOverTCP checks the same over TCP.
func TestOverTCP(t *testing.T) {
	t.Parallel()
	peer := sippOverTCP(t, joinScenario(invited, inviteAnswers("100 Trying"), inviteAnswers("180 Ringing"), agreeAnswer(), receiveStep("ACK"), peerRequest(1, "OPTIONS"), receiveStep("200"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	peer.awaitAnswer(t, "OPTIONS", 1)
	if _, err := line.Next(t.Context()); err != nil {
		t.Error(err)
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
	if via := peer.sentRequests("INVITE")[0].headerValue("Via"); !strings.HasPrefix(via, "SIP/2.0/TCP ") {
		t.Errorf("Via %q", via)
	}
}
