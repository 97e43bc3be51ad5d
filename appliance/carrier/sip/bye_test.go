package sip_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
)

// TestByeAgain: the connection breaks while our BYE has no response. The BYE is sent again over another one; otherwise the
// person would stay in a silent call.
func TestByeAgain(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, behind("200 OK", tag), recv("ACK"), recv("BYE"), weHangUp))
	a := newAuthority(t)
	at := proxied(t, a, peer, "")
	c := calls(t, "sip:"+at.String()+";transport=tls", func(o *sip.TrunkOptions) { o.Roots = a.roots() })
	dial(t, c).Hangup()
	first := peer.await(t, "BYE", 1)
	c.DropConnections("tls", at.String())
	if second := peer.await(t, "BYE", 2); second.get("Cseq") == first.get("Cseq") {
		t.Errorf("the second BYE has the CSeq of the first: %s", second.get("Cseq"))
	}
}

// TestLateAnswerToRefresh: the 200 to our refreshing INVITE comes after we gave the session up. It is acknowledged all the
// same (RFC 3261 §13.2.2.4), and SIPp fails a call whose 200 is not.
func TestLateAnswerToRefresh(t *testing.T) {
	t.Parallel()
	late := step(strings.Replace(string(agrees()), "To: [$to]"+tag, "To: [$to]", 1))
	// Over a stream: nothing repeats the INVITE meanwhile.
	peer := sippOverTCP(t, scenario(invited, agrees("Session-Expires: 10;refresher=uac", "Require: timer"), recv("ACK"),
		invited, recv("BYE"), replies("200 OK"), pause(500), late, recv("ACK")))
	line := dial(t, calls(t, peer.TrunkAddress()))
	ended := talks(t, line)
	if ack := peer.await(t, "ACK", 2); !strings.HasPrefix(ack.get("Cseq"), "2 ") {
		t.Errorf("CSeq of the last ACK is %q", ack.get("Cseq"))
	}
	if err := <-ended; err == nil {
		t.Error("the call goes on")
	}
}

// TestStalledHandshake: a server that takes the connection and never answers the TLS handshake does not hold a call up.
func TestStalledHandshake(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := calls(t, "sip:"+server.Addr().String()+";transport=tls")
	c.AwaitFirstAnswer(sip.UsualFirstAnswer)
	_, err = c.Dial(ctx, asking("01"))
	if refusal, ok := errors.AsType[*carrier.DialError](err); !ok || refusal.RetryAfter == 0 {
		t.Errorf("Dial = %v", err)
	}
}
