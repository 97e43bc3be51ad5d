package media_test

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/sip/media"
	"munadi/appliance/carrier/sip/sdp"
	"munadi/engine/audio"
)

// Audio in both directions over the network and in real time.
func TestBothDirections(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	p := newPeer(t, s)
	if err := s.Start(localStream(), p.agreedStream()); err != nil {
		t.Fatal(err)
	}
	said := rampSamples(1, 1000)
	s.Say(said, nil)
	var in, out []int16
	for i := 0; len(dropSilence(out)) < len(said) || !slices.Contains(in, throughALaw([]int16{1000})[0]); i++ {
		tone := p.marshalPacket(p.head, slices.Repeat([]byte{audio.EncodeALaw(1000)}, carrier.Samples))
		if _, err := p.conn.WriteToUDPAddrPort(tone, netip.AddrPortFrom(loopback, s.Port())); err != nil {
			t.Fatal(err)
		}
		p.head.SequenceNumber++
		p.head.Timestamp += carrier.Samples
		f := takeFrames(t, s, 1)[0]
		if want := time.Duration(i) * carrier.Tick; f.At != want {
			t.Fatalf("frame %d is at %v, want %v", i, f.At, want)
		}
		in, out = append(in, f.In[:]...), append(out, f.Out[:]...)
	}
	if !slices.Equal(dropSilence(out), said) {
		t.Error("what was played is not what was said")
	}
	loud := func(pcm []int16) []int16 { return slices.DeleteFunc(pcm, func(v int16) bool { return v <= 8 }) } // silence is 8
	var sent []int16
	for want := loud(throughALaw(said)); len(sent) < len(want); {
		packet := p.nextPacket()
		if packet.PayloadType != 8 || len(packet.Payload) != carrier.Samples {
			t.Fatalf("sent was %v", packet)
		}
		for _, b := range packet.Payload {
			sent = append(sent, audio.DecodeALaw(b))
		}
		if sent = loud(sent); !slices.Equal(sent, want[:min(len(sent), len(want))]) {
			t.Fatal("what was sent is not what was said")
		}
	}
}

func TestOpenTakesAPair(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	if s.Port()%2 != 0 || s.Port() < ports.First || s.Port() > ports.Last {
		t.Errorf("RTP is received at %d", s.Port())
	}
	for _, port := range []uint16{s.Port(), s.Port() + 1} {
		c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, port)))
		if err == nil {
			_ = c.Close()
			t.Errorf("port %d is still free", port)
		}
	}
}

// An exhausted port range is named in the error; closed ports are reused, and an odd port at either end of the range is
// no pair.
func TestPortsAreUsedUp(t *testing.T) {
	t.Parallel()
	few := media.PortRange{First: 41001, Last: 41006} // 41002 and 41004
	var all []*media.MediaSession
	for range 2 {
		s, err := media.OpenSession(loopback, few, media.Strict)
		if err != nil {
			t.Fatal(err)
		}
		defer s.End(nil)
		all = append(all, s)
	}
	_, err := media.OpenSession(loopback, few, media.Strict)
	if err == nil || !strings.Contains(err.Error(), "41001-41006") {
		t.Errorf("a third session: %v, want the range in words", err)
	}
	all[0].End(nil)
	s, err := media.OpenSession(loopback, few, media.Strict)
	if err != nil || s.Port() != all[0].Port() {
		t.Errorf("after an end: %v", err)
	}
	s.End(nil)
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		bind  netip.Addr
		ports media.PortRange
	}{
		"no ports":         {loopback, media.PortRange{}},
		"one port":         {loopback, media.PortRange{First: 41010, Last: 41010}},
		"no pair":          {loopback, media.PortRange{First: 41011, Last: 41012}},
		"the wrong order":  {loopback, media.PortRange{First: 41020, Last: 41010}},
		"somebody's else":  {netip.MustParseAddr("192.0.2.1"), ports},
		"the last port of": {loopback, media.PortRange{First: 65535, Last: 65535}},
	} {
		if s, err := media.OpenSession(c.bind, c.ports, media.Strict); err == nil {
			s.End(nil)
			t.Errorf("%s: it opens", name)
		}
	}
}

func TestStartRefuses(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	good := newPeer(t, s).agreedStream()
	key := make([]byte, 30)
	if err := s.Change(localStream(), good); err == nil {
		t.Error("a change before the start was taken")
	}
	for name, change := range map[string]func(l *sdp.LocalMedia, r *sdp.AgreedStream){
		"no such codec":        func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Codec = 18 },
		"no such payload type": func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Payload = 128 },
		"keys like sound":      func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Events = 8 },
		"only our key":         func(l *sdp.LocalMedia, _ *sdp.AgreedStream) { l.Key = key },
		"only their key":       func(_ *sdp.LocalMedia, r *sdp.AgreedStream) { r.Key = key },
		"a short key":          func(l *sdp.LocalMedia, r *sdp.AgreedStream) { l.Key, r.Key = key, key[:29] },
	} {
		l, r := localStream(), good
		if change(&l, &r); s.Start(l, r) == nil {
			t.Errorf("%s was taken", name)
		}
	}
	if err := s.BeginStill(localStream(), good); err != nil {
		t.Error(err)
	}
	if err := s.Start(localStream(), good); err == nil {
		t.Error("it starts twice")
	}
	s.End(nil)
	if err := s.Change(localStream(), good); !errors.Is(err, io.EOF) {
		t.Errorf("a change after the end: %v", err)
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	broken := &carrier.DialError{Err: errors.New("broken")}
	for name, c := range map[string]struct {
		ends   []error
		frames int // that are given out after the end, of five
		want   error
	}{
		"they hung up":              {[]error{io.EOF}, 5, io.EOF},
		"no error is their hang-up": {[]error{nil}, 5, io.EOF},
		"it broke":                  {[]error{broken, io.EOF}, 5, broken},
		"we hung up":                {[]error{carrier.ErrHungUp}, 0, carrier.ErrHungUp},
		"we hung up after them":     {[]error{io.EOF, carrier.ErrHungUp}, 0, carrier.ErrHungUp},
		"they hung up after us":     {[]error{carrier.ErrHungUp, io.EOF}, 0, carrier.ErrHungUp},
	} {
		s, _ := beginSession(t)
		turnTicks(s, 5)
		for _, err := range c.ends {
			s.End(err)
		}
		takeFrames(t, s, c.frames)
		for range 2 {
			if _, err := s.Next(t.Context()); !errors.Is(err, c.want) {
				t.Errorf("%s: Next = %v, want %v", name, err, c.want)
			}
		}
		s.Say(rampSamples(1, 100), nil)
		if s.Flush(); s.Queued() != 0 {
			t.Errorf("%s: Queued = %v", name, s.Queued())
		}
		turnTicks(s, 1) // a tick in flight
	}
}

// Not parallel: other tests have goroutines of their own.
func TestEndLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		s := openSession(t)
		p := newPeer(t, s)
		if err := s.Start(localStream(), p.agreedStream()); err != nil {
			t.Fatal(err)
		}
		takeFrames(t, s, 1)
		s.End(carrier.ErrHungUp)
	}
	openSession(t).End(nil) // it never started
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines more than before", after-before)
	}
}

// The peer's port is closed, as ICMP reports, and the call continues.
func TestNobodyListens(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	p := newPeer(t, s)
	_ = p.conn.Close()
	if err := s.Start(localStream(), p.agreedStream()); err != nil {
		t.Fatal(err)
	}
	takeFrames(t, s, 10)
}

func TestWhatCameBeforeTheStartIsDropped(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	p := newPeer(t, s)
	for range 5 {
		p.sendAudio(rampSamples(1000, carrier.Samples))
	}
	if err := s.BeginStill(localStream(), p.agreedStream()); err != nil {
		t.Fatal(err)
	}
	turnTicks(s, 10)
	if in, _ := heardFrames(takeFrames(t, s, 10)); len(dropSilence(in)) > 0 || s.Stats().Received > 0 {
		t.Error("sound of before the answer is heard")
	}
}
