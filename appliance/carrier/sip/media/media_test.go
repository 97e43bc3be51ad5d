package media_test

import (
	"errors"
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
	ports    = media.Ports{First: 42000, Last: 48999}
)

func open(t *testing.T) *media.Session {
	t.Helper()
	s, err := media.Open(loopback, ports)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.End(io.EOF) })
	return s
}

// peer is the other side: it sends what a test tells it to.
type peer struct {
	t    *testing.T
	conn *net.UDPConn
	to   netip.AddrPort
	head rtp.Header
	got  chan rtp.Packet
}

// newPeer reads what the session sends into got.
func newPeer(t *testing.T, s *media.Session) *peer {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, 0)))
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{
		t: t, conn: conn, to: netip.AddrPortFrom(loopback, s.Port()), got: make(chan rtp.Packet, 1024),
		head: rtp.Header{Version: 2, PayloadType: 8, SSRC: 7, SequenceNumber: 65530, Timestamp: 1<<32 - 500},
	}
	t.Cleanup(func() { _ = conn.Close() })
	go p.read()
	return p
}

func (p *peer) read() {
	defer close(p.got)
	for {
		b := make([]byte, 2048)
		n, err := p.conn.Read(b)
		if err != nil {
			return
		}
		var packet rtp.Packet
		if err := packet.Unmarshal(b[:n]); err != nil {
			p.t.Errorf("what was sent is no RTP: %v", err)
		}
		select {
		case p.got <- packet:
		default:
		}
	}
}

// addr is where the peer receives.
func (p *peer) addr() netip.AddrPort { return p.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// stream is what is agreed on with the peer.
func (p *peer) stream() sdp.Stream {
	return sdp.Stream{Remote: p.addr(), Codec: sdp.PCMA, Payload: 8, Events: 101, Sends: true, Listens: true}
}

// send sends a packet of A-law and goes on to the next.
func (p *peer) send(pcm []int16) {
	payload := make([]byte, len(pcm))
	for i, v := range pcm {
		payload[i] = audio.EncodeALaw(v)
	}
	p.raw(p.head, payload)
	p.head.SequenceNumber++
	p.head.Timestamp += uint32(len(pcm))
}

func (p *peer) raw(head rtp.Header, payload []byte) {
	p.t.Helper()
	b, err := (&rtp.Packet{Header: head, Payload: payload}).Marshal()
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.conn.WriteToUDPAddrPort(b, p.to); err != nil && !errors.Is(err, net.ErrClosed) {
		p.t.Error(err)
	}
}

func local() sdp.Local { return sdp.Local{Codecs: []sdp.Codec{sdp.PCMA}, Receiving: true} }

// begin starts the sound of a call with a peer.
func begin(t *testing.T) (*media.Session, *peer) {
	t.Helper()
	s := open(t)
	p := newPeer(t, s)
	if err := s.Start(local(), p.stream()); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// frames takes n frames.
func frames(t *testing.T, s *media.Session, n int) []carrier.Frame {
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

// ramp is a sound whose every sample tells its place.
func ramp(first int16, n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = first + int16(i)
	}
	return out
}

func heard(fs []carrier.Frame) (in, out []int16) {
	for _, f := range fs {
		in, out = append(in, f.In[:]...), append(out, f.Out[:]...)
	}
	return in, out
}

func TestBothDirections(t *testing.T) {
	t.Parallel()
	s, p := begin(t)
	said := ramp(1, 1000)
	s.Say(said)
	tone := ramp(100, carrier.Samples)
	var fs []carrier.Frame
	for range 20 {
		p.send(tone)
		fs = append(fs, frames(t, s, 1)...)
	}
	in, out := heard(fs)
	if !slices.Equal(sounding(out), said) {
		t.Error("what was played is not what was said")
	}
	if at := slices.Index(in, audio.DecodeALaw(audio.EncodeALaw(100))); at < 0 || at > 10*carrier.Samples {
		t.Errorf("the peer is heard from sample %d on", at)
	}
	for i := range 5 {
		packet := <-p.got
		if packet.PayloadType != 8 || len(packet.Payload) != carrier.Samples {
			t.Fatalf("packet %d is %v", i, packet)
		}
	}
}

// sounding leaves out silence.
func sounding(pcm []int16) []int16 {
	return slices.DeleteFunc(slices.Clone(pcm), func(v int16) bool { return v == 0 })
}

func TestFramesAreInOrder(t *testing.T) {
	t.Parallel()
	s, _ := begin(t)
	for i, f := range frames(t, s, 25) {
		if want := time.Duration(i) * carrier.Tick; f.At != want {
			t.Fatalf("frame %d is at %v, want %v", i, f.At, want)
		}
	}
	s.End(io.EOF)
	for {
		if _, err := s.Next(t.Context()); err != nil {
			if !errors.Is(err, io.EOF) {
				t.Errorf("Next = %v, want io.EOF", err)
			}
			return
		}
	}
}
