package sip_test

import (
	"strings"
	"testing"
)

// TestNotUnderstood checks that requests with unknown requirements are refused as RFC 3261 and 4028 specify, and the
// call continues.
func TestNotUnderstood(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"),
		peerRequest(1, "UPDATE", "Require: 100rel, timer, precondition"), receiveStep("420"),
		peerRequest(2, "UPDATE", "Content-Type: application/xml", "", "<a/>"), receiveStep("415"),
		peerRequest(3, "UPDATE", "Content-Type: application/xml", "Content-Disposition: render;handling=optional", "", "<a/>"), receiveStep("200"),
		peerRequest(4, "INFO", "Content-Type: text/plain", "", "5"), receiveStep("415"),
		peerRequest(5, "UPDATE", "Supported: timer", "Session-Expires: 30"), receiveStep("422"),
		peerRequest(6, "UPDATE", "Supported: timer", "Session-Expires: 90;refresher=uac"), receiveStep("200"),
		peerRequest(7, "OPTIONS", "Require: replaces"), receiveStep("420"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	for _, c := range []struct {
		method       string
		n            int
		header, want string
	}{
		{"UPDATE", 1, "Unsupported", "100rel, precondition"},
		{"UPDATE", 2, "Accept", "application/sdp"},
		{"INFO", 1, "Accept", "application/dtmf-relay, application/dtmf"},
		{"UPDATE", 4, "Min-Se", "90"},
		{"UPDATE", 5, "Session-Expires", "90;refresher=uac"},
		{"OPTIONS", 1, "Unsupported", "replaces"},
	} {
		if got := peer.awaitAnswer(t, c.method, c.n).headerValue(c.header); got != c.want {
			t.Errorf("%s in the answer to %s %d is %q, want %q", c.header, c.method, c.n, got, c.want)
		}
	}
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestCSeqBeginsWithZero checks that the peer's CSeq numbers may begin with 0 (RFC 3261 §8.1.1.5).
func TestCSeqBeginsWithZero(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), peerRequest(0, "INFO"), receiveStep("200"), peerRequest(0, "INFO"), receiveStep("500"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	peer.awaitAnswer(t, "INFO", 2)
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestFreshNonce checks that a proxy whose nonce was used while the server behind it challenged, too, may challenge
// again with a new nonce.
func TestFreshNonce(t *testing.T) {
	t.Parallel()
	fresh := strings.Replace(challenge, `nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"`, `nonce="fresh"`, 1)
	server := strings.Replace(challenge, `nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"`, `nonce="server"`, 1)
	const proxy = "407 Proxy Authentication Required"
	peer := startSIPp(t, isChallenge(proxy, "Proxy-Authenticate: "+challenge,
		inviteAnswers("401 Unauthorized", "WWW-Authenticate: "+server), receiveStep("ACK"), invited,
		inviteAnswers(proxy, "Proxy-Authenticate: "+fresh), receiveStep("ACK"), invited, accepted))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	third, last := peer.awaitRequest(t, "INVITE", 3), peer.awaitRequest(t, "INVITE", 4)
	if got := third.headerValue("Proxy-Authorization"); !strings.Contains(got, "nc=00000002") {
		t.Errorf("the nonce's second use is not counted: %q", got)
	}
	if got := last.headerValue("Proxy-Authorization"); !strings.Contains(got, `nonce="fresh"`) || !strings.Contains(got, "nc=00000001") {
		t.Errorf("the answer to the new nonce is %q", got)
	}
	if got := last.headerValue("Authorization"); !strings.Contains(got, `nonce="server"`) || !strings.Contains(got, "nc=00000002") {
		t.Errorf("the server's answer is %q", got)
	}
}
