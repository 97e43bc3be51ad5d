package sip_test

import (
	"strconv"
	"strings"
	"testing"
)

// reliableProvisional is a provisional response that requires a PRACK.
func reliableProvisional(status string, rseq int, more ...string) scenarioStep {
	return inviteAnswers(status, append([]string{contact, "Require: 100rel", "RSeq: " + strconv.Itoa(rseq)}, more...)...)
}

// acknowledged expects our PRACK.
var acknowledged = receiveStep("PRACK") + replyStep("200 OK")

// TestReliableProvisionals checks that each is acknowledged once and in order (RFC 3262), that the SDP of the first one
// counts if the answer has none, and that our BYE has a CSeq after those of the PRACKs.
func TestReliableProvisionals(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("100 Trying"),
		reliableProvisional("183 Session Progress", 700, soundBody(mediaHere)...), acknowledged,
		reliableProvisional("183 Session Progress", 700, soundBody(mediaHere)...), // sent again: not acknowledged again
		reliableProvisional("180 Ringing", 702), pauseStep(200),                   // before it one is missing
		reliableProvisional("180 Ringing", 701), acknowledged, reliableProvisional("180 Ringing", 702), acknowledged,
		inviteAnswers("200 OK", contact), receiveStep("ACK"), weHangUp))
	c := openCarrier(t, peer.TrunkAddress())
	rang := 0
	r := newDialRequest("01")
	r.Ringing = func() { rang++ }
	line, err := c.Dial(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := line.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	line.Hangup()
	bye := peer.awaitRequest(t, "BYE", 1)
	invite := peer.awaitRequest(t, "INVITE", 1)
	if supported := invite.headerValue("Supported"); !strings.Contains(supported, "100rel") {
		t.Errorf("Supported: %s", supported)
	}
	number, _, _ := strings.Cut(invite.headerValue("CSeq"), " ")
	first, _ := strconv.Atoi(number)
	pracks := peer.sentRequests("PRACK")
	if len(pracks) != 3 || rang != 1 {
		t.Fatalf("%d PRACK, it rang %d times", len(pracks), rang)
	}
	for n, prack := range pracks {
		if want := strconv.Itoa(700+n) + " " + number + " INVITE"; prack.headerValue("RAck") != want {
			t.Errorf("RAck %q, want %q", prack.headerValue("RAck"), want)
		}
		if want := strconv.Itoa(first+1+n) + " PRACK"; prack.headerValue("CSeq") != want {
			t.Errorf("CSeq %q, want %q", prack.headerValue("CSeq"), want)
		}
	}
	if want := strconv.Itoa(first+4) + " BYE"; bye.headerValue("CSeq") != want {
		t.Errorf("CSeq %q, want %q", bye.headerValue("CSeq"), want)
	}
}

// TestChallengedProvisional checks that a challenged PRACK is sent again with credentials and a new CSeq for the same
// provisional response; later CSeq numbers continue from it.
func TestChallengedProvisional(t *testing.T) {
	t.Parallel()
	for status, header := range map[string]string{
		"401 Unauthorized": "WWW-Authenticate: ", "407 Proxy Authentication Required": "Proxy-Authenticate: ",
	} {
		t.Run(status[:3], func(t *testing.T) {
			t.Parallel()
			peer := startSIPp(t, joinScenario(invited, reliableProvisional("183 Session Progress", 9, soundBody(mediaHere)...),
				receiveStep("PRACK"), replyStep(status, header+challenge), acknowledged,
				inviteAnswers("200 OK", contact), receiveStep("ACK"), weHangUp))
			dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
			peer.awaitRequest(t, "BYE", 1)
			first, again := peer.awaitRequest(t, "PRACK", 1), peer.awaitRequest(t, "PRACK", 2)
			checkProof(t, again)
			if first.headerValue("RAck") != "9 1 INVITE" || again.headerValue("RAck") != first.headerValue("RAck") {
				t.Errorf("RAck %q, then %q", first.headerValue("RAck"), again.headerValue("RAck"))
			}
			for m, want := range map[*sipMessage]string{&first: "2 PRACK", &again: "3 PRACK"} {
				if m.headerValue("CSeq") != want {
					t.Errorf("CSeq %q, want %q", m.headerValue("CSeq"), want)
				}
			}
			if bye := peer.awaitRequest(t, "BYE", 1); bye.headerValue("CSeq") != "4 BYE" {
				t.Errorf("CSeq %q, want 4 BYE", bye.headerValue("CSeq"))
			}
		})
	}
}

// TestRefusedProvisional checks that the call continues if PRACK is refused, since the peer decides.
func TestRefusedProvisional(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, reliableProvisional("183 Session Progress", 9, soundBody(mediaHere)...),
		receiveStep("PRACK"), replyStep("481 Call Does Not Exist"), inviteAnswers("200 OK", contact), receiveStep("ACK"), weHangUp))
	dialLine(t, openCarrier(t, peer.TrunkAddress())).Hangup()
	peer.awaitRequest(t, "BYE", 1)
	if n := len(peer.sentRequests("PRACK")); n != 1 {
		t.Errorf("%d PRACK", n)
	}
}
