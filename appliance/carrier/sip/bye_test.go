package sip_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip"
)

// TestByeIsRepeatedAfterConnectionLoss checks that a BYE whose connection breaks before its response is sent again over
// a new connection; otherwise the callee would stay in a silent call.
func TestByeIsRepeatedAfterConnectionLoss(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, answerBehindProxy("200 OK", tag), receiveStep("ACK"), receiveStep("BYE"), weHangUp))
	a := newAuthority(t)
	at := startKamailio(t, a, peer, "")
	c := openCarrier(t, "sip:"+at.String()+";transport=tls", func(o *sip.TrunkOptions) { o.Roots = a.rootPool() })
	dialLine(t, c).Hangup()
	first := peer.awaitRequest(t, "BYE", 1)
	c.DropConnections("tls", at.String())
	if second := peer.awaitRequest(t, "BYE", 2); second.headerValue("Cseq") == first.headerValue("Cseq") {
		t.Errorf("the second BYE has the CSeq of the first: %s", second.headerValue("Cseq"))
	}
}

// TestByeOvertakesAnswer checks a callee who hangs up as soon as they have answered: a BYE that overtakes the 200 is
// answered 200 once the call is up and acknowledged, and ends the line as a hang-up does. With 481 we would wait for
// sound until the RTP timeout. Other requests wait for the answer, too.
func TestByeOvertakesAnswer(t *testing.T) {
	t.Parallel()
	bye := withoutRetransmission(peerRequest(1, "BYE"))
	for name, steps := range map[string][]scenarioStep{
		"BYE, 200":                  {bye, agreeAnswer(), receiveStep("ACK"), receiveStep("200")},
		"BYE, a while, 200":         {bye, pauseStep(300), agreeAnswer(), receiveStep("ACK"), receiveStep("200")},
		"re-INVITE of the gateway":  {withoutRetransmission(peerRequest(1, "INVITE", soundBody(mediaHere)...)), agreeAnswer(), receiveStep("ACK"), receiveStep("200"), ackAnswer(1), hangsUp(2)},
		"UPDATE while it rings yet": {inviteAnswers("180 Ringing"), withoutRetransmission(peerRequest(1, "UPDATE")), agreeAnswer(), receiveStep("ACK"), receiveStep("200"), hangsUp(2)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(append([]scenarioStep{invited}, steps...)...))
			c := openCarrier(t, peer.TrunkAddress())
			line := dialLine(t, c)
			if err := awaitLineEnd(t, line); !errors.Is(err, io.EOF) {
				t.Errorf("Next = %v", err)
			}
			line.Hangup()
			awaitNoCalls(t, c)
			if n := len(peer.sentRequests("BYE")); n != 0 {
				t.Errorf("%d BYE of ours to a call that is over", n)
			}
		})
	}
}

// TestLateAnswerToRefresh checks that the 200 to our session refresh INVITE is acknowledged even after we ended the
// session (RFC 3261 §13.2.2.4); SIPp fails a call whose 200 is not acknowledged.
func TestLateAnswerToRefresh(t *testing.T) {
	t.Parallel()
	late := scenarioStep(strings.Replace(string(agreeAnswer()), "To: [$to]"+tag, "To: [$to]", 1))
	// Over TCP the INVITE is not retransmitted meanwhile.
	peer := sippOverTCP(t, joinScenario(invited, agreeAnswer("Session-Expires: 10;refresher=uac", "Require: timer"), receiveStep("ACK"),
		plays, invited, receiveStep("BYE"), replyStep("200 OK"), pauseStep(500), late, receiveStep("ACK")))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	ended := readFrames(t, line)
	if ack := peer.awaitRequest(t, "ACK", 2); !strings.HasPrefix(ack.headerValue("Cseq"), "2 ") {
		t.Errorf("CSeq of the last ACK is %q", ack.headerValue("Cseq"))
	}
	if err := <-ended; err == nil {
		t.Error("the call goes on")
	}
}

// TestStalledHandshake checks that a server that accepts the connection and never answers the TLS handshake does not
// delay a call.
func TestStalledHandshake(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for ten seconds")
	}
	server, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := openCarrier(t, "sip:"+server.Addr().String()+";transport=tls")
	c.AwaitFirstAnswer(sip.UsualFirstAnswer)
	_, err = c.Dial(ctx, newDialRequest("01"))
	if refusal, ok := errors.AsType[*carrier.DialError](err); !ok || refusal.RetryAfter == 0 {
		t.Errorf("Dial = %v", err)
	}
}
