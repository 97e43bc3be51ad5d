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

// listener receives our sound.
type listener struct {
	socket net.PacketConn

	mu sync.Mutex
	at []time.Time // when packets came
}

func newListener(t *testing.T) *listener {
	t.Helper()
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{socket: socket}
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

func (l *listener) address() string { return l.socket.LocalAddr().String() }

// packets are how many came.
func (l *listener) packets() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.at)
}

// gap is the longest time between two packets.
func (l *listener) gap() (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := 1; i < len(l.at); i++ {
		longest = max(longest, l.at[i].Sub(l.at[i-1]))
	}
	return longest
}

// directions are those of a description.
func direction(m message) string {
	for _, d := range []string{"sendrecv", "sendonly", "recvonly", "inactive"} {
		if strings.Contains(m.body, "a="+d) {
			return d
		}
	}
	return "sendrecv" // RFC 3264 §5.1
}

// talks takes frames until the line ends or the test does.
func talks(t *testing.T, line carrier.Line) <-chan error {
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

// offers is a change of the call by the peer, its nth request, and what follows on our answer.
func offers(n int, body ...string) step { return asks(n, "INVITE", body...) + recv("200") + acks(n) }

// TestHold: while the peer holds, nothing is sent to it and our answer says so (RFC 3264 §8.4); the call's time goes on.
func TestHold(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]string{"sendonly": "a=sendonly", "inactive": "a=inactive"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := newListener(t)
			at := there.address()
			peer := sipp(t, scenario(invited, inviteAnswers("200 OK", append([]string{contact}, sound(at)...)...), recv("ACK"), pause(1000),
				offers(1, sound(at, hold)...), pause(3000), offers(2, sound(at, "a=sendrecv")...), pause(1500), hangsUp(3)))
			ended := talks(t, dial(t, calls(t, peer.TrunkAddress())))
			if err := <-ended; !errors.Is(err, io.EOF) {
				t.Errorf("Next = %v", err)
			}
			if gap := there.gap(); gap < 1500*time.Millisecond || there.packets() < 2 {
				t.Errorf("of %d packets none was more than %v after another", there.packets(), gap)
			}
			want := map[string]string{"sendonly": "recvonly", "inactive": "inactive"}[name]
			held, back := peer.answered("INVITE")[0], peer.answered("INVITE")[1]
			if direction(held) != want || direction(back) != "sendrecv" {
				t.Errorf("held we are %s, want %s; then %s", direction(held), want, direction(back))
			}
		})
	}
}

// TestMovedSound: a re-INVITE gives the sound another address.
func TestMovedSound(t *testing.T) {
	t.Parallel()
	first, second := newListener(t), newListener(t)
	peer := sipp(t, scenario(invited, inviteAnswers("200 OK", append([]string{contact}, sound(first.address())...)...), recv("ACK"), pause(1500),
		offers(1, sound(second.address())...), pause(1500), hangsUp(2)))
	if err := <-talks(t, dial(t, calls(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if first.packets() == 0 || second.packets() == 0 {
		t.Errorf("%d packets to the first address, %d to the second", first.packets(), second.packets())
	}
}

// TestChangeWithoutOffer: our 200 has the offer and the ACK the answer (RFC 3261 §14.2).
func TestChangeWithoutOffer(t *testing.T) {
	t.Parallel()
	first, second := newListener(t), newListener(t)
	ack := func(n int, body ...string) step {
		return step(strings.Replace(string(acks(n)), "\nContent-Length: [len]\n\n", "\n"+strings.Join(body[:1], "\n")+"\nContent-Length: [len]\n\n"+strings.Join(body[2:], "\n"), 1))
	}
	peer := sipp(t, scenario(invited, inviteAnswers("200 OK", append([]string{contact}, sound(first.address())...)...), recv("ACK"), pause(300),
		asks(1, "INVITE"), recv("200"), ack(1, sound(second.address())...), pause(1500), hangsUp(2)))
	if err := <-talks(t, dial(t, calls(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if offer := peer.answered("INVITE")[0].body; !strings.Contains(offer, "m=audio ") || !strings.Contains(offer, "PCMA") {
		t.Errorf("our offer is %q", offer)
	}
	if second.packets() == 0 {
		t.Error("no packets to the new address")
	}
}

// TestUselessChange: what can't be agreed on is refused, and the call goes on as it was (RFC 3261 §14.2).
func TestUselessChange(t *testing.T) {
	t.Parallel()
	video := []string{"Content-Type: application/sdp", "", "v=0", "o=peer 1 2 IN IP4 [media_ip]", "s=-", "c=IN IP4 [media_ip]", "t=0 0", "m=audio 6000 RTP/AVP 97", "a=rtpmap:97 opus/48000/2"}
	there := newListener(t)
	refusedAck := step(strings.Replace(string(acks(1)), "branch=[branch]", "branch=[branch-2]", 1))
	peer := sipp(t, scenario(invited, inviteAnswers("200 OK", append([]string{contact}, sound(there.address())...)...), recv("ACK"), pause(100),
		asks(1, "INVITE", video...), recv("488"), refusedAck, asks(2, "UPDATE", video...), recv("488"), weHangUp))
	line := dial(t, calls(t, peer.TrunkAddress()))
	peer.awaitAnswer(t, "UPDATE", 1)
	before := there.packets()
	eventually(t, peer, func() bool { return there.packets() > before+5 })
	line.Hangup()
	peer.await(t, "BYE", 1)
}

// TestLateAcknowledgement: our 200 to a re-INVITE is repeated until its ACK comes (RFC 3261 §13.3.1.4).
func TestLateAcknowledgement(t *testing.T) {
	t.Parallel()
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), pause(100),
		asks(1, "INVITE", sound(mediaHere)...), recv("200"), pause(6000), acks(1), pause(300), hangsUp(2)))
	if err := <-talks(t, dial(t, calls(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if n := len(peer.answered("INVITE")); n < 2 {
		t.Errorf("the 200 came %d times", n)
	}
}

// TestUpdate: it changes the sound too, and is answered in one go (RFC 3311).
func TestUpdate(t *testing.T) {
	t.Parallel()
	there := newListener(t)
	peer := sipp(t, scenario(invited, agrees(), recv("ACK"), pause(100), asks(1, "UPDATE", sound(there.address())...), recv("200"),
		pause(1500), hangsUp(2)))
	if err := <-talks(t, dial(t, calls(t, peer.TrunkAddress()))); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v", err)
	}
	if there.packets() == 0 || !strings.Contains(peer.answered("UPDATE")[0].body, "m=audio ") {
		t.Errorf("%d packets; our answer is %q", there.packets(), peer.answered("UPDATE")[0].body)
	}
}
