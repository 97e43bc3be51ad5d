package sip_test

import (
	"strconv"
	"strings"
	"testing"
)

// reliable is a provisional answer that is to be acknowledged.
func reliable(status string, rseq int, more ...string) step {
	return inviteAnswers(status, append([]string{contact, "Require: 100rel", "RSeq: " + strconv.Itoa(rseq)}, more...)...)
}

// acknowledged takes our PRACK.
var acknowledged = recv("PRACK") + replies("200 OK")

// TestReliableProvisionals: each is acknowledged once and in order (RFC 3262), the description of the first one holds
// where the answer brings none, and our BYE has a CSeq after those of the PRACKs.
func TestReliableProvisionals(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, inviteAnswers("100 Trying"),
		reliable("183 Session Progress", 700, sound(mediaHere)...), acknowledged,
		reliable("183 Session Progress", 700, sound(mediaHere)...), // sent again: not acknowledged again
		reliable("180 Ringing", 702), pause(200),                   // before it one is missing
		reliable("180 Ringing", 701), acknowledged, reliable("180 Ringing", 702), acknowledged,
		inviteAnswers("200 OK", contact), recv("ACK"), weHangUp))
	c := calls(t, peer.TrunkAddress())
	rang := 0
	r := asking("01")
	r.Ringing = func() { rang++ }
	line, err := c.Dial(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := line.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	line.Hangup()
	bye := peer.await(t, "BYE", 1)
	invite := peer.await(t, "INVITE", 1)
	if supported := invite.get("Supported"); !strings.Contains(supported, "100rel") {
		t.Errorf("Supported: %s", supported)
	}
	number, _, _ := strings.Cut(invite.get("CSeq"), " ")
	first, _ := strconv.Atoi(number)
	pracks := peer.sent("PRACK")
	if len(pracks) != 3 || rang != 1 {
		t.Fatalf("%d PRACK, it rang %d times", len(pracks), rang)
	}
	for n, prack := range pracks {
		if want := strconv.Itoa(700+n) + " " + number + " INVITE"; prack.get("RAck") != want {
			t.Errorf("RAck %q, want %q", prack.get("RAck"), want)
		}
		if want := strconv.Itoa(first+1+n) + " PRACK"; prack.get("CSeq") != want {
			t.Errorf("CSeq %q, want %q", prack.get("CSeq"), want)
		}
	}
	if want := strconv.Itoa(first+4) + " BYE"; bye.get("CSeq") != want {
		t.Errorf("CSeq %q, want %q", bye.get("CSeq"), want)
	}
}

// TestChallengedProvisional: a PRACK that is challenged is sent again with credentials and a CSeq of its own, for the same
// provisional response; what follows counts on.
func TestChallengedProvisional(t *testing.T) {
	t.Parallel()
	for status, header := range map[string]string{
		"401 Unauthorized": "WWW-Authenticate: ", "407 Proxy Authentication Required": "Proxy-Authenticate: ",
	} {
		t.Run(status[:3], func(t *testing.T) {
			t.Parallel()
			peer := sipp(t, scenario(invited, reliable("183 Session Progress", 9, sound(mediaHere)...),
				recv("PRACK"), replies(status, header+challenge), acknowledged,
				inviteAnswers("200 OK", contact), recv("ACK"), weHangUp))
			dial(t, calls(t, peer.TrunkAddress())).Hangup()
			peer.await(t, "BYE", 1)
			first, again := peer.await(t, "PRACK", 1), peer.await(t, "PRACK", 2)
			checkProof(t, again)
			if first.get("RAck") != "9 1 INVITE" || again.get("RAck") != first.get("RAck") {
				t.Errorf("RAck %q, then %q", first.get("RAck"), again.get("RAck"))
			}
			for m, want := range map[*message]string{&first: "2 PRACK", &again: "3 PRACK"} {
				if m.get("CSeq") != want {
					t.Errorf("CSeq %q, want %q", m.get("CSeq"), want)
				}
			}
			if bye := peer.await(t, "BYE", 1); bye.get("CSeq") != "4 BYE" {
				t.Errorf("CSeq %q, want 4 BYE", bye.get("CSeq"))
			}
		})
	}
}

// TestRefusedProvisional: with a PRACK that stays refused, the call goes on: the peer decides.
func TestRefusedProvisional(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, reliable("183 Session Progress", 9, sound(mediaHere)...),
		recv("PRACK"), replies("481 Call Does Not Exist"), inviteAnswers("200 OK", contact), recv("ACK"), weHangUp))
	dial(t, calls(t, peer.TrunkAddress())).Hangup()
	peer.await(t, "BYE", 1)
	if n := len(peer.sent("PRACK")); n != 1 {
		t.Errorf("%d PRACK", n)
	}
}
