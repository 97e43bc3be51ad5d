package sip_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/appliance/carrier"
)

// packetListener receives our RTP packets.
type packetListener struct {
	socket net.PacketConn

	mu sync.Mutex
	at []time.Time // when packets came
}

func newListener(t *testing.T) *packetListener {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &packetListener{socket: socket}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for buffer := make([]byte, 2048); ; {
			if _, _, err := socket.ReadFrom(buffer); err != nil {
				return
			}
			l.mu.Lock()
			l.at = append(l.at, time.Now())
			l.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = socket.Close()
		<-done
	})
	return l
}

func (l *packetListener) hostPort() string { return l.socket.LocalAddr().String() }

// packetCount returns the number of received packets.
func (l *packetListener) packetCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.at)
}

// longestGap returns the longest time between two packets.
func (l *packetListener) longestGap() (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := 1; i < len(l.at); i++ {
		longest = max(longest, l.at[i].Sub(l.at[i-1]))
	}
	return longest
}

// directions returns the direction attributes of an SDP body.
func mediaDirections(m sipMessage) string {
	for _, d := range []string{"sendrecv", "sendonly", "recvonly", "inactive"} {
		if strings.Contains(m.body, "a="+d) {
			return d
		}
	}
	return "sendrecv" // RFC 3264 §5.1
}

// readFrames reads frames until the line or the test ends.
func readFrames(t *testing.T, line carrier.Line) <-chan error {
	t.Helper()
	ended := make(chan error, 1)
	go func() {
		for {
			if _, err := line.Next(t.Context()); err != nil {
				ended <- err
				return
			}
		}
	}()
	return ended
}

// sendReinvite sends a re-INVITE as the peer's nth request; the steps after our response follow.
func sendReinvite(n int, body ...string) scenarioStep {
	return peerRequest(n, "INVITE", body...) + receiveStep("200") + ackAnswer(n)
}

// TestHold checks that nothing is sent while the peer holds, that our answer says so (RFC 3264 §8.4), and that the
// call's time continues.
func TestHold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ hold, address, method, want string }{
		"sendonly":           {"a=sendonly", "", "INVITE", "recvonly"},
		"inactive":           {"a=inactive", "", "INVITE", "inactive"},
		"0.0.0.0 (RFC 2543)": {"a=sendrecv", "0.0.0.0", "INVITE", "recvonly"},
		"by UPDATE":          {"a=sendonly", "", "UPDATE", "recvonly"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := newListener(t)
			at := there.hostPort()
			holds := at
			if c.address != "" {
				holds = c.address + at[strings.LastIndex(at, ":"):]
			}
			change := func(n int, body ...string) scenarioStep {
				if c.method == "UPDATE" {
					return peerRequest(n, "UPDATE", body...) + receiveStep("200")
				}
				return sendReinvite(n, body...)
			}
			peer := startSIPp(t, joinScenario(invited, inviteAnswers("200 OK", append([]string{contact}, soundBody(at)...)...), receiveStep("ACK"), pauseStep(1000),
				change(1, soundBody(holds, c.hold)...), pauseStep(3000), change(2, soundBody(at, "a=sendrecv")...), pauseStep(1500), hangsUp(3)))
			line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
			held, frames, back := 0, 0, false
			for {
				f, err := line.Next(t.Context())
				if err != nil {
					if !errors.Is(err, io.EOF) {
						t.Errorf("Next = %v", err)
					}
					break
				}
				if frames++; f.Held {
					held++
				}
				back = held > 0 && !f.Held
			}
			if held < 75 || held > frames-50 || !back {
				t.Errorf("%d of %d frames are on hold, and the call came back: %t", held, frames, back)
			}
			if gap := there.longestGap(); gap < 1500*time.Millisecond || there.packetCount() < 2 {
				t.Errorf("of %d packets none was more than %v after another", there.packetCount(), gap)
			}
			answers := peer.sentAnswers(c.method)
			if got := mediaDirections(answers[0]); got != c.want || mediaDirections(answers[1]) != "sendrecv" {
				t.Errorf("held we are %s, want %s; then %s", got, c.want, mediaDirections(answers[1]))
			}
		})
	}
}

// TestReinviteMovesTheRTPAddress checks a re-INVITE that changes the RTP address.
func TestReinviteMovesTheRTPAddress(t *testing.T) {
	t.Parallel()
	first, second := newListener(t), newListener(t)
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("200 OK", append([]string{contact}, soundBody(first.hostPort())...)...), receiveStep("ACK"), pauseStep(1500),
		sendReinvite(1, soundBody(second.hostPort())...), pauseStep(1500), hangsUp(2)))
	if err := <-readFrames(t, dialLine(t, openCarrier(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if first.packetCount() == 0 || second.packetCount() == 0 {
		t.Errorf("%d packets to the first address, %d to the second", first.packetCount(), second.packetCount())
	}
}

// ackWithSDP acknowledges our response to the peer's nth request, a re-INVITE, with an answer to our offer.
func ackWithSDP(n int, body ...string) scenarioStep {
	return scenarioStep(strings.Replace(string(ackAnswer(n)), "\nContent-Length: [len]\n\n", "\n"+strings.Join(body[:1], "\n")+"\nContent-Length: [len]\n\n"+strings.Join(body[2:], "\n"), 1))
}

// TestOffersKeepTheStreams checks that our offer names the video stream, too, that the peer offered before and we declined
// (RFC 3264 §8).
func TestOffersKeepTheStreams(t *testing.T) {
	t.Parallel()
	there := newListener(t)
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), plays, pauseStep(300),
		peerRequest(1, "INVITE", soundBody(mediaHere, "m=video 9000 RTP/AVP 99")...), receiveStep("200"), ackAnswer(1), pauseStep(300),
		peerRequest(2, "INVITE"), receiveStep("200"), ackWithSDP(2, soundBody(there.hostPort(), "m=video 0 RTP/AVP 99")...), pauseStep(1500), hangsUp(3)))
	if err := <-readFrames(t, dialLine(t, openCarrier(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	answers := peer.sentAnswers("INVITE")
	for i, m := range []int{0, len(answers) - 1} {
		audio, video := strings.Index(answers[m].body, "m=audio "), strings.Index(answers[m].body, "m=video 0 ")
		if audio < 0 || video < audio {
			t.Errorf("description %d is %q", i, answers[m].body)
		}
	}
	if there.packetCount() == 0 {
		t.Error("no packets by the answer to our offer")
	}
}

// TestChangeWithoutOffer checks a re-INVITE without SDP: our 200 has the offer and the ACK the answer (RFC 3261 §14.2).
func TestChangeWithoutOffer(t *testing.T) {
	t.Parallel()
	first, second := newListener(t), newListener(t)
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("200 OK", append([]string{contact}, soundBody(first.hostPort())...)...), receiveStep("ACK"), pauseStep(300),
		peerRequest(1, "INVITE"), receiveStep("200"), ackWithSDP(1, soundBody(second.hostPort())...), pauseStep(1500), hangsUp(2)))
	if err := <-readFrames(t, dialLine(t, openCarrier(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if offer := peer.sentAnswers("INVITE")[0].body; !strings.Contains(offer, "m=audio ") || !strings.Contains(offer, "PCMA") {
		t.Errorf("our offer is %q", offer)
	}
	if second.packetCount() == 0 {
		t.Error("no packets to the new address")
	}
}

// TestReinviteWithUnusableSDP checks that a re-INVITE with unusable SDP is refused and the call continues unchanged
// (RFC 3261 §14.2).
func TestReinviteWithUnusableSDP(t *testing.T) {
	t.Parallel()
	video := []string{"Content-Type: application/sdp", "", "v=0", "o=peer 1 2 IN IP4 [media_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0", "m=audio 6000 RTP/AVP 97", "a=rtpmap:97 opus/48000/2"}
	there := newListener(t)
	refusedAck := scenarioStep(strings.Replace(string(ackAnswer(1)), "branch=[branch]", "branch=[branch-2]", 1))
	peer := startSIPp(t, joinScenario(invited, inviteAnswers("200 OK", append([]string{contact}, soundBody(there.hostPort())...)...), receiveStep("ACK"), pauseStep(100),
		peerRequest(1, "INVITE", video...), receiveStep("488"), refusedAck, peerRequest(2, "UPDATE", video...), receiveStep("488"), weHangUp))
	line := dialLine(t, openCarrier(t, peer.TrunkAddress()))
	peer.awaitAnswer(t, "UPDATE", 1)
	before := there.packetCount()
	waitUntil(t, peer, func() bool { return there.packetCount() > before+5 })
	line.Hangup()
	peer.awaitRequest(t, "BYE", 1)
}

// TestLateAcknowledgement checks that our 200 to a re-INVITE is retransmitted until its ACK is received (RFC 3261
// §13.3.1.4).
func TestLateAcknowledgement(t *testing.T) {
	t.Parallel()
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), pauseStep(100),
		peerRequest(1, "INVITE", soundBody(mediaHere)...), receiveStep("200"), pauseStep(6000), ackAnswer(1), pauseStep(300), hangsUp(2)))
	if err := <-readFrames(t, dialLine(t, openCarrier(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if n := len(peer.sentAnswers("INVITE")); n < 2 {
		t.Errorf("the 200 came %d times", n)
	}
}

// TestUpdate checks that UPDATE changes the audio like a re-INVITE, in one transaction (RFC 3311).
func TestUpdate(t *testing.T) {
	t.Parallel()
	there := newListener(t)
	peer := startSIPp(t, joinScenario(invited, agreeAnswer(), receiveStep("ACK"), pauseStep(100), peerRequest(1, "UPDATE", soundBody(there.hostPort())...), receiveStep("200"),
		pauseStep(1500), hangsUp(2)))
	if err := <-readFrames(t, dialLine(t, openCarrier(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if there.packetCount() == 0 || !strings.Contains(peer.sentAnswers("UPDATE")[0].body, "m=audio ") {
		t.Errorf("%d packets; our answer is %q", there.packetCount(), peer.sentAnswers("UPDATE")[0].body)
	}
}
