package media_test

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/carrier"
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

func TestSilenceEndsTheLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(l *sdp.LocalMedia, r *sdp.AgreedStream)
		ends   bool
	}{
		"no packets":          {func(*sdp.LocalMedia, *sdp.AgreedStream) {}, true},
		"it does not send":    {func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Sends = false }, false},
		"we hold":             {func(l *sdp.LocalMedia, _ *sdp.AgreedStream) { l.Receiving = false }, false},
		"it holds with music": {func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Listens = false }, true},
	} {
		s := openSession(t)
		p := newPeer(t, s)
		l, r := localStream(), p.agreedStream()
		c.change(&l, &r)
		if err := s.BeginStill(l, r); err != nil {
			t.Fatal(err)
		}
		p.sendAudio(rampSamples(0, carrier.Samples))
		for range 2000 { // a delay of ours is no fault of the other side
			s.TurnTick(1e9)
			takeFrames(t, s, 1)
		}
		turnTicks(s, 1499)
		takeFrames(t, s, 1499)
		p.from = netip.MustParseAddrPort("127.0.0.3:5")
		p.sendAudio(rampSamples(0, carrier.Samples))
		turnTicks(s, 1)
		takeFrames(t, s, 1)
		if !c.ends {
			turnTicks(s, 1)
			takeFrames(t, s, 1)
			continue
		}
		_, err := s.Next(t.Context())
		var refusal *carrier.DialError
		if !errors.As(err, &refusal) || refusal.Err == nil || !strings.Contains(err.Error(), "127.0.0.1") || !strings.Contains(err.Error(), "1 packets") {
			t.Errorf("%s: Next = %v", name, err)
		}
	}
}

// A single packet of any kind in 30 s keeps the line.
func TestAnyPacketIsALifeSign(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	p.sendAudio(rampSamples(0, carrier.Samples))
	p.head.PayloadType = 13 // comfort noise
	for range 3 {
		turnTicks(s, 1400)
		takeFrames(t, s, 1400)
		p.sendAudio([]int16{0})
	}
}
