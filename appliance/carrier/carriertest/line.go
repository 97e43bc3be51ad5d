package carriertest

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"munadi/appliance/carrier"
)

func testName(t *testing.T, c carrier.Carrier, _ string) {
	if c.Name() == "" {
		t.Error("it has no name")
	}
	if c.Lines() < 1 {
		t.Errorf("Lines = %d", c.Lines())
	}
}

func testFrameOrder(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	for i, f := range takeFrames(t, line, 100) {
		if want := time.Duration(i) * carrier.Tick; f.At != want {
			t.Fatalf("frame %d is at %v, want %v", i, f.At, want)
		}
		if f.Out != [carrier.Samples]int16{} {
			t.Fatalf("frame %d has sound of ours, and nothing was said", i)
		}
	}
}

func testReceivedSound(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	for _, f := range takeFrames(t, line, int(5*time.Second/carrier.Tick)) {
		if slices.ContainsFunc(f.In[:], func(s int16) bool { return s > 1000 || s < -1000 }) {
			return
		}
	}
	t.Error("5 s without a sound")
}

func testDialContextEnds(t *testing.T, c carrier.Carrier, number string) {
	ctx, cancel := context.WithCancel(t.Context())
	line, err := c.Dial(ctx, newDialRequest(number))
	if err != nil {
		t.Fatal(err)
	}
	defer line.Hangup()
	cancel()
	takeFrames(t, line, 50)
}

func testNextContextEnds(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	last := takeFrames(t, line, 3)[2]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := line.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("Next = %v, want the context's error", err)
	}
	if f := takeFrames(t, line, 1)[0]; f.At != last.At+carrier.Tick {
		t.Errorf("the frame after %v is at %v", last.At, f.At)
	}
}

// makeRamp returns audio whose samples identify their position.
func makeRamp(first int16, n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = first + int16(i)
	}
	return out
}

func playedSamples(fs []carrier.Frame) []int16 {
	var out []int16
	for _, f := range fs {
		out = append(out, f.Out[:]...)
	}
	return out
}

// takeUntilPlayed returns the played audio until nothing is queued.
func takeUntilPlayed(t *testing.T, line carrier.Line) []int16 {
	t.Helper()
	var out []int16
	for n := 0; line.Queued() > 0; n++ {
		if n > 500 {
			t.Fatalf("Queued = %v after 10 s", line.Queued())
		}
		out = append(out, playedSamples(takeFrames(t, line, 1))...)
	}
	return out
}

// testPlayOrder checks the playback order by counting frames, as a late reader still gets frames from before the audio.
// On a real line there may be silence between the parts when the machine has stalled.
func testPlayOrder(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	takeFrames(t, line, 2)
	line.Say(carrier.Speech{Text: "one", PCM: makeRamp(1, 1000)})
	line.Say(carrier.Speech{Text: "two", PCM: makeRamp(1001, 2000)})
	queued, said := line.Queued(), 375*time.Millisecond
	if queued < said || (queued-said)%carrier.Tick != 0 || c.Simulated() && queued != said {
		t.Errorf("Queued = %v, want %v and, on a real line, whole frames before it", queued, said)
	}
	out := takeUntilPlayed(t, line)
	if silent := func(s int16) bool { return s == 0 }; !c.Simulated() {
		out = slices.DeleteFunc(out, silent)
	}
	if at := slices.Index(out, 1); at < 0 || at+3000 > len(out) || !slices.Equal(out[at:at+3000], makeRamp(1, 3000)) {
		t.Error("what was played is not what was said")
	}
}

func testFlush(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	line.Say(carrier.Speech{PCM: makeRamp(1, 8000)})
	line.Say(carrier.Speech{PCM: makeRamp(8001, 8000)})
	takeFrames(t, line, 10)
	line.Flush()
	if line.Queued() != 0 {
		t.Errorf("Queued = %v after Flush", line.Queued())
	}
	silent := 0
	for n := 0; silent < 10; n++ { // a late reader has frames from before
		if n > 60 {
			t.Fatal("it is played on after Flush")
		}
		silent++
		if slices.ContainsFunc(playedSamples(takeFrames(t, line, 1)), func(s int16) bool { return s != 0 }) {
			silent = 0
		}
	}
	line.Say(carrier.Speech{PCM: makeRamp(1, 320)})
	if !slices.Contains(takeUntilPlayed(t, line), 320) {
		t.Error("nothing is played any more after Flush")
	}
}

func testHangup(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	takeFrames(t, line, 5)
	line.Hangup()
	line.Hangup()
	for range 2 {
		if _, err := line.Next(t.Context()); !errors.Is(err, carrier.ErrHungUp) {
			t.Errorf("Next = %v, want ErrHungUp", err)
		}
	}
	line.Say(carrier.Speech{PCM: makeRamp(1, 100)})
	line.Flush()
	if err := line.Transfer(t.Context(), "+966500000000"); err == nil {
		t.Error("a call that is over was transferred")
	}
}

func testConcurrentHangup(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	ended := make(chan error)
	go func() {
		for {
			if _, err := line.Next(t.Context()); err != nil {
				ended <- err
				return
			}
		}
	}()
	timer := time.NewTimer(100 * time.Millisecond)
	<-timer.C
	line.Hangup()
	if err := <-ended; !errors.Is(err, carrier.ErrHungUp) {
		t.Errorf("Next = %v, want ErrHungUp", err)
	}
}

func testRemoteHangup(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	var err error
	for range int(time.Minute / carrier.Tick) {
		if _, err = line.Next(t.Context()); err != nil {
			break
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatalf("Next = %v, want io.EOF within a minute", err)
	}
	if _, err = line.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v the second time, want io.EOF", err)
	}
	line.Hangup()
	if _, err = line.Next(t.Context()); err == nil {
		t.Error("a frame after the end")
	}
}

func testTransfer(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	takeFrames(t, line, 5)
	if err := line.Transfer(t.Context(), "+966500000000"); err != nil {
		t.Fatal(err)
	}
	var err error
	for range int(10 * time.Second / carrier.Tick) { // before the audio
		if _, err = line.Next(t.Context()); err != nil {
			break
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Errorf("Next = %v, want io.EOF", err)
	}
}

func testKeys(t *testing.T, c carrier.Carrier, number string) {
	line := dialAnswered(t, c, number)
	line.Say(
		carrier.Speech{Text: "?", PCM: makeRamp(1, 160), Expects: carrier.AnswerExpectation{Kind: "number", Slot: "n"}},
	)
	for range int(10 * time.Second / carrier.Tick) {
		f, err := line.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if f.Digits != "" {
			return
		}
	}
	t.Error("10 s without a key")
}
