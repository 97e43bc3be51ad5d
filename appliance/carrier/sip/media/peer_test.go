package media_test

import (
	"io"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

var (
	loopback = netip.MustParseAddr("127.0.0.1")
	ports    = media.PortRange{First: 42000, Last: 48999}
)

func openSession(t testing.TB) *media.MediaSession {
	t.Helper()
	s, err := media.OpenSession(loopback, ports, media.Strict)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.End(io.EOF) })
	return s
}

// mediaPeer is the peer: it sends what a test asks for, directly to the session, without the network.
type mediaPeer struct {
	t    testing.TB
	s    *media.MediaSession
	conn *net.UDPConn
	from netip.AddrPort // where packets come from, as the session sees it
	head rtp.Header
	seal func([]byte) []byte // SRTP
}

func newPeer(t testing.TB, s *media.MediaSession) *mediaPeer {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, 0)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &mediaPeer{
		t: t, s: s, conn: conn, from: conn.LocalAddr().(*net.UDPAddr).AddrPort(),
		head: rtp.Header{Version: 2, PayloadType: 8, SSRC: 7, SequenceNumber: 65530, Timestamp: 1<<32 - 500},
		seal: func(b []byte) []byte { return b },
	}
}

// nextPacket returns the next packet that the session has sent.
func (p *mediaPeer) nextPacket() rtp.Packet {
	p.t.Helper()
	var packet rtp.Packet
	if err := packet.Unmarshal(p.nextDatagram()); err != nil {
		p.t.Errorf("what was sent is no RTP: %v", err)
	}
	return packet
}

func (p *mediaPeer) nextDatagram() []byte {
	p.t.Helper()
	b := make([]byte, 2048)
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Minute))
	n, err := p.conn.Read(b)
	if err != nil {
		p.t.Fatal(err)
	}
	return b[:n]
}

// wantNoPacket fails if the session has sent a packet. On loopback none is in flight.
func (p *mediaPeer) wantNoPacket() {
	p.t.Helper()
	_ = p.conn.SetReadDeadline(time.Now().Add(time.Millisecond))
	if n, err := p.conn.Read(make([]byte, 2048)); err == nil {
		p.t.Errorf("%d bytes were sent", n)
	}
}

// agreedStream is the agreement with the peer.
func (p *mediaPeer) agreedStream() sdp.AgreedStream {
	return sdp.AgreedStream{Remote: p.from, Codec: sdp.PCMA, Payload: 8, Events: 101, Sends: true, Listens: true}
}

// sendAudio sends a packet of A-law, or of µ-law if that is its payload type, and advances to the next one.
func (p *mediaPeer) sendAudio(pcm []int16) {
	p.t.Helper()
	encode := audio.EncodeALaw
	if p.head.PayloadType == 0 {
		encode = audio.EncodeMuLaw
	}
	payload := make([]byte, len(pcm))
	for i, v := range pcm {
		payload[i] = encode(v)
	}
	p.sendRaw(p.head, payload)
	p.head.SequenceNumber++
	p.head.Timestamp += uint32(len(pcm))
}

// sendKeyPress sends a packet of a key; head.Timestamp does not change.
func (p *mediaPeer) sendKeyPress(event byte, end bool) {
	head := p.head
	head.PayloadType = 101
	flags := byte(10)
	if end {
		flags |= 0x80
	}
	p.sendRaw(head, []byte{event, flags, 0, 160})
	p.head.SequenceNumber++
}

func (p *mediaPeer) sendRaw(head rtp.Header, payload []byte) {
	p.t.Helper()
	p.s.ReceiveRTP(p.seal(p.marshalPacket(head, payload)), p.from)
}

func (p *mediaPeer) marshalPacket(head rtp.Header, payload []byte) []byte {
	p.t.Helper()
	b, err := (&rtp.Packet{Header: head, Payload: payload}).Marshal()
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

func localStream() sdp.LocalMedia {
	return sdp.LocalMedia{Codecs: []sdp.Codec{sdp.PCMA}, Receiving: true}
}

// beginSession starts the media session of a call with a peer; tests advance the clock.
func beginSession(t testing.TB) (*media.MediaSession, *mediaPeer) {
	t.Helper()
	s := openSession(t)
	p := newPeer(t, s)
	if err := s.BeginStill(localStream(), p.agreedStream()); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// turnTicks advances n ticks, on time.
func turnTicks(s *media.MediaSession, n int) {
	for range n {
		s.TurnTick(0)
	}
}

// takeFrames reads n frames.
func takeFrames(t testing.TB, s *media.MediaSession, n int) []carrier.Frame {
	t.Helper()
	out := make([]carrier.Frame, 0, n)
	for i := range n {
		f, err := s.Next(t.Context())
		if err != nil {
			t.Fatalf("frame %d: %v", i, err)
		}
		out = append(out, f)
	}
	return out
}

// rampSamples returns a signal whose every sample reveals its position.
func rampSamples(first int16, n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = first + int16(i)
	}
	return out
}

func heardFrames(fs []carrier.Frame) (in, out []int16) {
	for _, f := range fs {
		in, out = append(in, f.In[:]...), append(out, f.Out[:]...)
	}
	return in, out
}

// dropSilence removes silence.
func dropSilence(pcm []int16) []int16 {
	return slices.DeleteFunc(slices.Clone(pcm), func(v int16) bool { return v == 0 })
}

// throughALaw encodes and decodes a signal with A-law.
func throughALaw(pcm []int16) []int16 {
	out := make([]int16, len(pcm))
	for i, v := range pcm {
		out[i] = audio.DecodeALaw(audio.EncodeALaw(v))
	}
	return out
}
