package media_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/pion/srtp/v3"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
)

var ours, theirs = bytes.Repeat([]byte{1}, 30), bytes.Repeat([]byte{2}, 30)

func newContext(t testing.TB, key []byte) *srtp.Context {
	t.Helper()
	c, err := srtp.CreateContext(key[:16], key[16:], srtp.ProtectionProfileAes128CmHmacSha1_80)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// beginSecure starts the media session of a call with SRTP.
func beginSecure(t testing.TB) (*media.MediaSession, *mediaPeer) {
	t.Helper()
	s := openSession(t)
	p := newPeer(t, s)
	p.sealWith(theirs)
	l, r := keyedStream(p, ours, theirs)
	if err := s.BeginStill(l, r); err != nil {
		t.Fatal(err)
	}
	return s, p
}

func keyedStream(p *mediaPeer, ours, theirs []byte) (sdp.LocalMedia, sdp.AgreedStream) {
	l, r := localStream(), p.agreedStream()
	l.Key, r.Key = ours, theirs
	return l, r
}

func (p *mediaPeer) sealWith(key []byte) {
	c := newContext(p.t, key)
	p.seal = func(b []byte) []byte {
		sealed, err := c.EncryptRTP(nil, b, nil)
		if err != nil {
			p.t.Fatal(err)
		}
		return sealed
	}
}

func TestSRTP(t *testing.T) {
	t.Parallel()
	s, p := beginSecure(t)
	s.Say(rampSamples(100, carrier.Samples), nil)
	for range 20 { // the sequence numbers wrap
		p.sendAudio(rampSamples(1000, carrier.Samples))
		turnTicks(s, 1)
	}
	in, _ := heardFrames(takeFrames(t, s, 20))
	if !slices.Equal(in[5*carrier.Samples:6*carrier.Samples], throughALaw(rampSamples(1000, carrier.Samples))) {
		t.Error("the other side is not heard")
	}
	c := newContext(t, ours)
	for i := range 20 {
		b := p.nextDatagram()
		if len(b) != 12+carrier.Samples+10 {
			t.Errorf("%d bytes were sent", len(b))
		}
		if _, err := c.DecryptRTP(nil, b, nil); err != nil {
			t.Fatalf("packet %d does not open: %v", i, err)
		}
	}
	if stats := s.Stats(); stats.Received != 20 || stats.Forged != 0 || stats.Lost != 0 {
		t.Errorf("%+v", stats)
	}
}

func TestForgedPackets(t *testing.T) {
	t.Parallel()
	s, p := beginSecure(t)
	sealed := p.seal(p.marshalPacket(p.head, make([]byte, carrier.Samples)))
	s.ReceiveRTP(sealed, p.from)
	forged := uint64(0)
	check := func(what string, b []byte) {
		t.Helper()
		forged++
		if s.ReceiveRTP(b, p.from); s.Stats().Received != 1 || s.Stats().Forged != forged {
			t.Errorf("%s: %+v", what, s.Stats())
		}
	}
	check("a second time", sealed)
	p.head.SequenceNumber++
	other := p.seal(p.marshalPacket(p.head, make([]byte, carrier.Samples)))
	other[20] ^= 1
	check("a bit is another", other)
	check("not sealed", p.marshalPacket(p.head, make([]byte, carrier.Samples)))
	check("too short", p.marshalPacket(p.head, nil))
	p.sealWith(ours)
	check("another key", p.seal(p.marshalPacket(p.head, make([]byte, carrier.Samples))))
	for i := range 1000 { // of unknown senders
		p.head.SSRC = uint32(1000 + i)
		check("an unknown sender", p.seal(p.marshalPacket(p.head, nil)))
	}
	p.head.SSRC, p.seal = 7, func(b []byte) []byte { return b }
	p.sealWith(theirs)
	p.head.SequenceNumber++
	p.sendAudio(make([]int16, carrier.Samples))
	if s.Stats().Received != 2 {
		t.Error("a good packet after forged ones is not taken")
	}
}

// Sequence numbers wrapped while it rang, before any packet was processed.
func TestSRTPAfterAWrap(t *testing.T) {
	t.Parallel()
	for _, rtcpFirst := range []bool{false, true} {
		s, p := beginSecure(t)
		early := p.seal
		for range 10 {
			early(p.marshalPacket(p.head, make([]byte, carrier.Samples)))
			p.head.SequenceNumber++
		}
		if rtcpFirst {
			s.ReceiveRTCP(sealedReport(t, theirs, 7), p.from)
		}
		for range 5 {
			p.sendAudio(make([]int16, carrier.Samples))
		}
		if stats := s.Stats(); stats.Received != 5 || stats.Forged != 0 {
			t.Errorf("%+v", stats)
		}
	}
}

// With more senders than are remembered, each one that has the key is still accepted.
func TestManySecureSenders(t *testing.T) {
	t.Parallel()
	s, p := beginSecure(t)
	for i := range 40 {
		p.head.SSRC = uint32(i)
		p.sendAudio(make([]int16, carrier.Samples))
		p.sendAudio(make([]int16, carrier.Samples))
	}
	if stats := s.Stats(); stats.Received != 41 || stats.Forged != 0 {
		t.Errorf("%+v", stats)
	}
}

// With the same keys the SRTP context continues; new keys start a new context, and without keys plain RTP is used.
func TestKeysChange(t *testing.T) {
	t.Parallel()
	s, p := beginSecure(t)
	sealed := p.seal(p.marshalPacket(p.head, make([]byte, carrier.Samples)))
	s.ReceiveRTP(sealed, p.from)
	turnTicks(s, 1)
	c := newContext(t, ours)
	if _, err := c.DecryptRTP(nil, p.nextDatagram(), nil); err != nil {
		t.Error(err)
	}
	if err := s.Change(keyedStream(p, bytes.Clone(ours), bytes.Clone(theirs))); err != nil {
		t.Fatal(err)
	}
	if s.ReceiveRTP(sealed, p.from); s.Stats().Forged != 1 {
		t.Error("a packet is taken twice after a change to the same key")
	}
	turnTicks(s, 1)
	if _, err := c.DecryptRTP(nil, p.nextDatagram(), nil); err != nil {
		t.Error(err)
	}
	if err := s.Change(keyedStream(p, theirs, ours)); err != nil {
		t.Fatal(err)
	}
	p.sealWith(ours)
	p.head.SequenceNumber++
	p.sendAudio(make([]int16, carrier.Samples))
	turnTicks(s, 1)
	if _, err := newContext(t, theirs).DecryptRTP(nil, p.nextDatagram(), nil); err != nil || s.Stats().Received != 2 {
		t.Errorf("with new keys: %v, %+v", err, s.Stats())
	}
	if err := s.Change(keyedStream(p, nil, nil)); err != nil {
		t.Fatal(err)
	}
	p.seal = func(b []byte) []byte { return b }
	p.sendAudio(make([]int16, carrier.Samples))
	turnTicks(s, 1)
	if n := len(p.nextDatagram()); n != 12+carrier.Samples || s.Stats().Received != 3 {
		t.Errorf("%d bytes were sent; %+v", n, s.Stats())
	}
}
