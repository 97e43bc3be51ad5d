package media_test

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

// While the peer holds, nothing is sent, and what is to be said waits.
func TestTheOtherSideHolds(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	s.Say(rampSamples(1, 4*carrier.Samples), nil)
	turnTicks(s, 2)
	first, _ := p.nextPacket(), p.nextPacket()
	held := p.agreedStream()
	held.Listens, held.Remote = false, netip.AddrPort{}
	if err := s.Change(localStream(), held); err != nil {
		t.Fatal(err)
	}
	takeFrames(t, s, 2)
	turnTicks(s, 5)
	_, out := heardFrames(takeFrames(t, s, 5))
	p.wantNoPacket()
	if len(dropSilence(out)) > 0 || s.Queued() != 2*carrier.Tick {
		t.Errorf("%d samples were played, and %v are left", len(dropSilence(out)), s.Queued())
	}
	if err := s.Change(localStream(), p.agreedStream()); err != nil {
		t.Fatal(err)
	}
	turnTicks(s, 2)
	if _, out = heardFrames(takeFrames(t, s, 2)); !slices.Equal(out, rampSamples(2*carrier.Samples+1, 2*carrier.Samples)) {
		t.Error("what was left is not played")
	}
	if back := p.nextPacket(); back.Timestamp != first.Timestamp+7*carrier.Samples || back.SequenceNumber != first.SequenceNumber+2 || !back.Marker {
		t.Errorf("after %v comes %v", first.Header, back.Header)
	}
}

// While we hold, received audio is dropped, but we continue to send.
func TestWeHold(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	l := localStream()
	l.Receiving = false
	if err := s.Change(l, p.agreedStream()); err != nil {
		t.Fatal(err)
	}
	s.Say(rampSamples(1, carrier.Samples), nil)
	for range 10 {
		p.sendAudio(rampSamples(1000, carrier.Samples))
		turnTicks(s, 1)
	}
	in, out := heardFrames(takeFrames(t, s, 10))
	if len(dropSilence(in)) > 0 || !slices.Equal(dropSilence(out), rampSamples(1, carrier.Samples)) {
		t.Error("it is heard, or we are not")
	}
}

func TestAnotherCodecAndAddress(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	turnTicks(s, 1)
	q := newPeer(t, s)
	q.from = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.2"), 4000)
	q.head.SSRC, q.head.Timestamp, q.head.PayloadType = 8, 777, 0
	to := q.agreedStream()
	to.Remote, to.Codec, to.Payload = q.conn.LocalAddr().(interface{ AddrPort() netip.AddrPort }).AddrPort(), sdp.PCMU, 0
	q.from = to.Remote
	if err := s.Change(localStream(), to); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		q.sendAudio(slices.Repeat([]int16{1000}, carrier.Samples))
		turnTicks(s, 1)
	}
	takeFrames(t, s, 6)
	if in, _ := heardFrames(takeFrames(t, s, 5)); !slices.Equal(in[:160], slices.Repeat([]int16{988}, 160)) { // 1000 in µ-law
		t.Errorf("heard is %d", in[0])
	}
	if packet := q.nextPacket(); packet.PayloadType != 0 || packet.Payload[0] != 0xff {
		t.Errorf("sent was %v", packet)
	}
	p.nextPacket()
	p.wantNoPacket()
}

// The peer's own payload type is used in both directions; the one that we offered is accepted too, others are dropped.
func TestPayloadTypes(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	p := newPeer(t, s)
	agreed := p.agreedStream()
	agreed.Payload, agreed.Events = 97, 96
	if err := s.BeginStill(localStream(), agreed); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		payload  uint8
		received uint64
	}{{97, 1}, {8, 2}, {0, 2}, {19, 2}, {18, 2}, {96, 3}, {101, 4}} {
		p.head.PayloadType = c.payload
		p.sendAudio(rampSamples(1000, carrier.Samples))
		if got := s.Stats().Received; got != c.received {
			t.Errorf("after payload type %d, %d packets came, want %d", c.payload, got, c.received)
		}
	}
	if got := s.Stats().Ignored; got != 3 {
		t.Errorf("%d packets are ignored, want 3", got)
	}
	turnTicks(s, 1)
	if got := p.nextPacket().PayloadType; got != 97 {
		t.Errorf("sent is payload type %d", got)
	}
}

// Another sender is accepted from its second packet on, or at once after a new agreement.
func TestAnotherSender(t *testing.T) {
	t.Parallel()
	for _, agreed := range []bool{false, true} {
		s, p := beginSession(t)
		for range 10 {
			p.sendAudio(rampSamples(1000, carrier.Samples))
			turnTicks(s, 1)
		}
		want := uint64(19)
		if agreed {
			want = 20
			if err := s.Change(localStream(), p.agreedStream()); err != nil {
				t.Fatal(err)
			}
		}
		p.head.SSRC, p.head.Timestamp, p.head.SequenceNumber = 99, 1<<31, 9
		for range 10 {
			p.sendAudio(slices.Repeat([]int16{5000}, carrier.Samples))
			turnTicks(s, 1)
		}
		in, _ := heardFrames(takeFrames(t, s, 20))
		if stats := s.Stats(); stats.Received != want || stats.Lost != 0 || !slices.Contains(in, throughALaw([]int16{5000})[0]) {
			t.Errorf("%+v: the other sender is not heard", stats)
		}
	}
}

// Of two alternating senders the first is accepted.
func TestTwoSenders(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	q := newPeer(t, s)
	q.from, q.head.SSRC = p.from, 99
	for range 20 {
		p.sendAudio(slices.Repeat([]int16{1000}, carrier.Samples))
		q.sendAudio(slices.Repeat([]int16{5000}, carrier.Samples))
		turnTicks(s, 1)
	}
	in, _ := heardFrames(takeFrames(t, s, 20))
	if slices.Contains(in, throughALaw([]int16{5000})[0]) || !slices.Contains(in, throughALaw([]int16{1000})[0]) || s.Stats().Ignored != 20 {
		t.Errorf("%+v: the second sender is heard", s.Stats())
	}
}

// TestSilenceEndsTheLine checks the RTP timeouts: after the answer, later, with silence suppression, on hold.
func TestSilenceEndsTheLine(t *testing.T) {
	t.Parallel()
	const never = 3000
	nothing := func(*sdp.LocalMedia, *sdp.AgreedStream) {}
	for name, c := range map[string]struct {
		change func(l *sdp.LocalMedia, r *sdp.AgreedStream)
		first  uint8 // payload type of the first packet; 0: none comes
		ticks  int
	}{
		"since the answer":               {nothing, 0, 250},
		"later":                          {nothing, 8, 500},
		"a type that was not negotiated": {nothing, 18, 500},
		"comfort noise came":             {nothing, 13, 1500},
		"it may be silent":               {func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Discontinuous = true }, 0, 1500},
		"it does not send":               {func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Sends = false }, 0, never},
		"we hold":                        {func(l *sdp.LocalMedia, _ *sdp.AgreedStream) { l.Receiving = false }, 8, never},
		"it only sends":                  {func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Listens = false }, 0, 250},
		"it holds without music":         {func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Listens = false }, 8, never},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openSession(t)
			p := newPeer(t, s)
			l, r := localStream(), p.agreedStream()
			c.change(&l, &r)
			if err := s.BeginStill(l, r); err != nil {
				t.Fatal(err)
			}
			for range 2000 { // a delay of ours is no fault of the other side
				s.TurnTick(1e9)
				takeFrames(t, s, 1)
			}
			if p.head.PayloadType = c.first; c.first != 0 {
				p.sendAudio(rampSamples(0, carrier.Samples))
			}
			p.from = netip.MustParseAddrPort("127.0.0.3:5")
			p.sendAudio(rampSamples(0, carrier.Samples))
			turnTicks(s, c.ticks-1)
			takeFrames(t, s, c.ticks-1)
			if c.ticks == never {
				return
			}
			turnTicks(s, 1)
			takeFrames(t, s, 1)
			_, err := s.Next(t.Context())
			var refusal *carrier.DialError
			if !errors.As(err, &refusal) || !errors.Is(err, carrier.ErrNoAudio) || !strings.Contains(err.Error(), "127.0.0.1") ||
				!strings.Contains(err.Error(), "1 packets from other addresses and 0 that did not authenticate") {
				t.Errorf("Next = %v", err)
			}
		})
	}
}

// TestSilenceAcrossChanges checks that a session refresh does not restart the RTP timeout, another address of the remote
// side does, and that a hold and a transfer suspend it.
func TestSilenceAcrossChanges(t *testing.T) {
	t.Parallel()
	moved := netip.MustParseAddrPort("127.0.0.4:4000")
	for name, c := range map[string]struct {
		change func(s *media.MediaSession, r sdp.AgreedStream) error
		ends   bool
	}{
		"a refresh": {func(s *media.MediaSession, r sdp.AgreedStream) error { return s.Change(localStream(), r) }, true},
		"another address": {func(s *media.MediaSession, r sdp.AgreedStream) error {
			r.Remote = moved
			return s.Change(localStream(), r)
		}, false},
		"a hold that is over": {func(s *media.MediaSession, r sdp.AgreedStream) error {
			held := r
			held.Sends, held.Listens = false, false
			err := s.Change(localStream(), held)
			turnTicks(s, 2000)
			return errors.Join(err, s.Change(localStream(), r))
		}, false},
		"a transfer that fails": {func(s *media.MediaSession, _ sdp.AgreedStream) error {
			s.SetTransferring(true)
			turnTicks(s, 2000)
			s.SetTransferring(false)
			return nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p := beginSession(t)
			p.sendAudio(rampSamples(0, carrier.Samples))
			turnTicks(s, 499)
			if err := c.change(s, p.agreedStream()); err != nil {
				t.Fatal(err)
			}
			turnTicks(s, 1)
			if ended := s.Err() != nil; ended != c.ends {
				t.Errorf("it has ended: %v", s.Err())
			}
			turnTicks(s, 499)
			if !errors.Is(s.Err(), carrier.ErrNoAudio) {
				t.Errorf("it ended with %v", s.Err())
			}
		})
	}
}

// TestMutedPeerIsHeard checks that a peer whose packets hold silence keeps the line, and that one packet in 10 s does.
func TestMutedPeerIsHeard(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	for range 1000 {
		p.sendAudio(make([]int16, carrier.Samples))
		turnTicks(s, 1)
		takeFrames(t, s, 1)
	}
	for range 3 {
		p.sendAudio([]int16{0})
		turnTicks(s, 499)
		takeFrames(t, s, 499)
	}
}
