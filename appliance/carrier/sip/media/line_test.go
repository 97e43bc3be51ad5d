package media_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtp"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
)

func TestQueuedIsExact(t *testing.T) {
	t.Parallel()
	s, _ := beginSession(t)
	queued := func(what string, want time.Duration) {
		t.Helper()
		if got := s.Queued(); got != want {
			t.Errorf("%s: Queued = %v, want %v", what, got, want)
		}
	}
	queued("at first", 0)
	turnTicks(s, 2)
	takeFrames(t, s, 2)
	s.Say(rampSamples(1, 1000), nil)
	s.Say(nil, nil)
	s.Say(rampSamples(1001, 1900), nil)
	queued("said", 362500*time.Microsecond)
	turnTicks(s, 7)
	takeFrames(t, s, 5)
	queued("with two frames that nobody took", 262500*time.Microsecond)
	turnTicks(s, 20)
	takeFrames(t, s, 13)
	queued("in the last frame", 2500*time.Microsecond)
	takeFrames(t, s, 1)
	queued("in the end", 0)
	s.Say(rampSamples(1, 160), nil)
	queued("for a listener who is late by eight frames", 180*time.Millisecond)
	turnTicks(s, 1)
	queued("for a listener who is late by nine frames", 180*time.Millisecond)
	takeFrames(t, s, 9)
	queued("and heard all", 0)
}

func TestSaidInOrder(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	s.Say(rampSamples(1, 1000), nil)
	s.Say(rampSamples(1001, 2000), nil)
	turnTicks(s, 25)
	_, out := heardFrames(takeFrames(t, s, 25))
	if !slices.Equal(out[:3000], rampSamples(1, 3000)) || len(dropSilence(out)) != 3000 {
		t.Error("what was played is not what was said")
	}
	for i := range 25 {
		packet := p.nextPacket()
		for k, b := range packet.Payload {
			if want := audio.EncodeALaw(out[i*carrier.Samples+k]); b != want {
				t.Fatalf("packet %d has %x at %d, the frame %x", i, b, k, want)
			}
		}
	}
}

func TestFlushed(t *testing.T) {
	t.Parallel()
	s, _ := beginSession(t)
	s.Say(rampSamples(1, 8000), nil)
	turnTicks(s, 12)
	takeFrames(t, s, 10)
	s.Flush()
	if s.Queued() != 0 {
		t.Errorf("Queued = %v after Flush", s.Queued())
	}
	turnTicks(s, 10)
	_, out := heardFrames(takeFrames(t, s, 12))
	if got := len(dropSilence(out)); got != 2*carrier.Samples {
		t.Errorf("%d samples after Flush, want those of two frames that were sent before", got)
	}
	s.Say(rampSamples(1, 320), nil)
	turnTicks(s, 3)
	if _, out = heardFrames(takeFrames(t, s, 3)); !slices.Equal(dropSilence(out), rampSamples(1, 320)) {
		t.Error("nothing is played any more after Flush")
	}
}

// A tick that is too late is not sent: what is to be said is sent afterwards, and the time stamps skip the tick.
func TestLateTicks(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	s.Say(rampSamples(1, 5*carrier.Samples), nil)
	turnTicks(s, 2)
	for late := 120 * time.Millisecond; late >= 0; late -= carrier.Tick {
		s.TurnTick(late)
	}
	_, out := heardFrames(takeFrames(t, s, 9))
	said := rampSamples(1, 5*carrier.Samples)
	if !slices.Equal(out[:320], said[:320]) || len(dropSilence(out[320:800])) > 0 || !slices.Equal(out[800:1280], said[320:]) {
		t.Error("three ticks are too late; the rest is not what was said")
	}
	first := p.nextPacket()
	for i, late := range []uint32{0, 3, 3, 3, 3} {
		packet := p.nextPacket()
		if packet.SequenceNumber != first.SequenceNumber+uint16(i)+1 ||
			packet.Timestamp != first.Timestamp+carrier.Samples*(uint32(i)+1+late) || packet.Marker != (i == 1) {
			t.Errorf("packet %d after %v is %v", i+1, first.Header, packet.Header)
		}
	}
	p.wantNoPacket()
}

func TestNobodyTakesTheFrames(t *testing.T) {
	t.Parallel()
	s := openSession(t)
	stream := newPeer(t, s).agreedStream()
	stream.Sends = false
	if err := s.BeginStill(localStream(), stream); err != nil {
		t.Fatal(err)
	}
	unread := int(carrier.Unread / carrier.Tick)
	turnTicks(s, unread)
	for i, f := range takeFrames(t, s, unread) {
		if f.At != time.Duration(i)*carrier.Tick {
			t.Fatalf("frame %d is at %v", i, f.At)
		}
	}
	turnTicks(s, 1)
	if f := takeFrames(t, s, 1)[0]; f.At != carrier.Unread {
		t.Errorf("the frame after those that were not read in time is at %v", f.At)
	}
	turnTicks(s, 3*unread)
	kept := 0
	for _, err := s.Next(t.Context()); err == nil; _, err = s.Next(t.Context()) {
		kept++
	}
	if kept < unread || kept >= 3*unread {
		t.Errorf("%d frames were kept", kept)
	}
	_, err := s.Next(t.Context())
	var refusal *carrier.DialError
	if !errors.As(err, &refusal) || refusal.Err == nil {
		t.Errorf("Next = %v, want a Refusal with its reason", err)
	}
}

// A listener that reads every frame keeps the line open without limit.
func TestManyFrames(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	for i := range 9000 {
		p.sendAudio(rampSamples(0, carrier.Samples))
		turnTicks(s, 1)
		if i < 100 || i%3 > 0 { // he is late, and then in time again
			continue
		}
		for range 3 {
			if takeFrames(t, s, 1); i%400 == 0 {
				takeFrames(t, s, 1)
			}
		}
	}
}

func TestNextWaits(t *testing.T) {
	t.Parallel()
	s, _ := beginSession(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	turnTicks(s, 1)
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Next = %v, want the context's error", err)
	}
	takeFrames(t, s, 1)
	ctx, cancel = context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := s.Next(ctx)
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Next = %v, want the context's error", err)
	}
	go func() {
		_, err := s.Next(t.Context())
		ended <- err
	}()
	s.End(carrier.ErrHungUp)
	if err := <-ended; !errors.Is(err, carrier.ErrHungUp) {
		t.Errorf("Next = %v, want ErrHungUp", err)
	}
}

func TestPressed(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	s.PressKeys("1x#d")
	p.sendKeyPress(10, false)
	p.sendKeyPress(10, true)
	turnTicks(s, 2)
	if fs := takeFrames(t, s, 2); fs[0].Digits != "1#D*" || fs[1].Digits != "" {
		t.Errorf("keys %q, then %q", fs[0].Digits, fs[1].Digits)
	}
	for range 1000 {
		s.PressKeys("123456")
	}
	turnTicks(s, 1)
	if got := takeFrames(t, s, 1)[0].Digits; len(got) > 64 {
		t.Errorf("a frame has %d keys", len(got))
	}
}

// TestStaleKeys checks that packets of a key press (RFC 4733) that the network delivers half a minute late are no press,
// whether the press was heard or not, and that the presses after them are.
func TestStaleKeys(t *testing.T) {
	t.Parallel()
	s, p := beginSession(t)
	heard := func(packets int) string { // of sound, one a tick
		keys := ""
		for range packets {
			p.sendAudio(rampSamples(0, carrier.Samples))
			turnTicks(s, 1)
			keys += takeFrames(t, s, 1)[0].Digits
		}
		return keys
	}
	press := func(event byte) {
		for _, end := range []bool{false, false, true, true, true} {
			p.sendKeyPress(event, end)
		}
		p.head.Timestamp += 800
	}
	want := func(what, keys string, event byte, before func()) {
		t.Helper()
		before()
		if got := heard(3); got != keys {
			t.Errorf("%s: keys %q, want %q", what, got, keys)
		}
		press(event)
		if got := heard(3); got != string("0123456789"[event]) {
			t.Errorf("the press after %s: keys %q", what, got)
		}
	}
	heard(100)
	early := p.head // of a press that is delivered now and again later
	press(1)
	lost := p.head // of one that is delivered later alone
	p.head.SequenceNumber += 5
	p.head.Timestamp += 800
	if got := heard(1500); got != "1" {
		t.Fatalf("keys %q", got)
	}
	late := func(head rtp.Header, event byte) func() {
		return func() {
			now := p.head
			p.head = head
			press(event)
			p.head = now
		}
	}
	want("a press again", "", 2, late(early, 1))
	want("a late press", "", 3, late(lost, 4))
	p.head.SSRC, p.head.SequenceNumber, p.head.Timestamp = 8, 7, 7
	want("a press of the former sender", "", 5, func() { heard(3); late(early, 1)() })
	want("an earlier part of the stream", "", 6, func() { // it begins anew
		p.head.SequenceNumber -= 20000
		p.head.Timestamp -= 1 << 30
	})
	want("a press while no sound comes", "7", 8, func() { press(7) })
}
