package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// pushLive pushes samples in frames of 20 ms, as a line does, and returns all events.
func pushLive(t testing.TB, s *LiveStream, samples []float32) []StreamEvent {
	t.Helper()
	var all []StreamEvent
	for len(samples) > 0 {
		n := min(sampleRate/50, len(samples))
		events, err := s.Push(t.Context(), samples[:n])
		if err != nil {
			t.Fatal(err)
		}
		all, samples = append(all, events...), samples[n:]
	}
	events, err := s.Flush(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return append(all, events...)
}

func openStream(t testing.TB, e *Engine, o StreamOptions) *LiveStream {
	t.Helper()
	s, err := e.OpenStream(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func onlyText(events []StreamEvent, kind StreamEventType) []StreamEvent {
	var some []StreamEvent
	for _, e := range events {
		if e.Type == kind {
			some = append(some, e)
		}
	}
	return some
}

// TestStreamHearsWhatTranscribeHears: the turns of a stream have the words of the whole file.
func TestStreamHearsWhatTranscribeHears(t *testing.T) {
	e := openTest(t)
	samples := conversationClip(t, 6)
	want, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	events := pushLive(t, openStream(t, e, StreamOptions{}), samples)
	finals := onlyText(events, Final)
	if got := len(onlyText(events, SpeechStarted)); got != len(finals) || got < 6 {
		t.Fatalf("%d turns began and %d ended, want the same and 6 at least", got, len(finals))
	}
	var texts []string
	last := 0.0
	for _, f := range finals {
		if f.Start < last || f.End <= f.Start || f.Text == "" || f.Confidence <= 0 || f.Confidence > 1 {
			t.Errorf("a turn from %.2f to %.2f after %.2f with confidence %.2f: %q", f.Start, f.End, last, f.Confidence, f.Text)
		}
		last = f.End
		texts = append(texts, f.Text)
	}
	if got := strings.Join(texts, " "); got != want.Text {
		t.Errorf("live: %s\nfile: %s", got, want.Text)
	}
}

func TestStreamOfSilenceIsQuiet(t *testing.T) {
	e := openTest(t)
	if events := pushLive(t, openStream(t, e, StreamOptions{}), make([]float32, 30*sampleRate)); len(events) > 0 {
		t.Errorf("silence gave %+v", events)
	}
}

// TestStreamPartials: the text of an open turn grows, also when the turn is longer than the part that is decoded again.
func TestStreamPartials(t *testing.T) {
	e := openTest(t)
	var speech []float32
	for range 4 {
		s := conversationClip(t, 1)
		speech = append(speech, s[sampleRate:len(s)-sampleRate]...)
	}
	s := openStream(t, e, StreamOptions{Partial: 400 * time.Millisecond, EndSilence: 2 * time.Second})
	events := pushLive(t, s, append(speech, make([]float32, 3*sampleRate)...))
	partials, finals := onlyText(events, Partial), onlyText(events, Final)
	if len(finals) != 1 || len(partials) < 8 {
		t.Fatalf("%d partial and %d final texts", len(partials), len(finals))
	}
	if first, last := len(partials[0].Words), len(partials[len(partials)-1].Words); first >= last {
		t.Errorf("the partial text has %d words at first and %d at last", first, last)
	}
	whole, err := e.Transcribe(t.Context(), &memoryClip{samples: speech}, TranscribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(finals[0].Words), len(strings.Fields(whole.Text)); got < want*9/10 || got > want*11/10 {
		t.Errorf("%d words live, %d in the file", got, want)
	}
}

// TestStreamMemory: memory does not grow during silence.
func TestStreamMemory(t *testing.T) {
	e := openTest(t)
	s := openStream(t, e, StreamOptions{})
	frame := make([]float32, sampleRate)
	for range 120 {
		if _, err := s.Push(t.Context(), frame); err != nil {
			t.Fatal(err)
		}
	}
	if kept := len(s.tape.buf); kept > 2*sampleRate {
		t.Errorf("%d samples are kept of two minutes of silence", kept)
	}
}

func TestStreamEndsWithItsContext(t *testing.T) {
	e := openTest(t)
	s := openStream(t, e, StreamOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Push(ctx, conversationClip(t, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestStreamOfAClosedEngine(t *testing.T) {
	e, err := OpenDir(bundle, testConfig(t))
	if err != nil {
		t.Fatal(err)
	}
	s := openStream(t, e, StreamOptions{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Push(t.Context(), make([]float32, sampleRate)); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v", err)
	}
	if err := s.SwitchEngine(openTest(t)); err != nil {
		t.Fatal(err)
	}
	if finals := onlyText(pushLive(t, s, conversationClip(t, 1)), Final); len(finals) != 1 {
		t.Errorf("moved to another engine it hears %d turns", len(finals))
	}
}

// TestStreamFinalIsMadeInTheSilence: the final text is decoded before the silence that ends a turn is over, and again
// only if the speaker went on.
func TestStreamFinalIsMadeInTheSilence(t *testing.T) {
	e := openTest(t)
	speech := conversationClip(t, 1)
	speech = speech[sampleRate : len(speech)-sampleRate]
	quiet := make([]float32, 600*sampleRate/1000) // more than the padding, less than what ends the turn
	s := openStream(t, e, StreamOptions{Partial: 128 * time.Millisecond, EndSilence: 1500 * time.Millisecond})
	push := func(samples []float32) (events []StreamEvent) {
		for ; len(samples) > 0; samples = samples[min(window, len(samples)):] {
			some, err := s.Push(t.Context(), samples[:min(window, len(samples))])
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, some...)
		}
		return events
	}
	partials := onlyText(push(append(speech, quiet...)), Partial)
	if s.ahead == nil || len(partials) == 0 {
		t.Fatalf("after %d texts nothing is made ahead", len(partials))
	}
	s.ahead.segments = append(s.ahead.segments, Segment{Text: "marked"})
	if finals := onlyText(push(append(speech, quiet...)), Final); len(finals) > 0 {
		t.Fatalf("the turn ended: %+v", finals)
	}
	finals := onlyText(push(make([]float32, 2*sampleRate)), Final)
	if len(finals) != 1 || strings.Contains(finals[0].Text, "marked") || len(finals[0].Words) <= len(partials[len(partials)-1].Words) {
		t.Fatalf("speech went on after %q: %+v", partials[len(partials)-1].Text, finals)
	}
	push(append(speech, quiet...))
	s.ahead.segments = []Segment{{Text: "marked"}}
	if finals := onlyText(push(make([]float32, 2*sampleRate)), Final); len(finals) != 1 || finals[0].Text != "marked" {
		t.Errorf("it was decoded again: %+v", finals)
	}
}

// TestEndpointRule: the rule is asked with the words so far, ends the turns in place of the usual silence, and decides
// the same however the audio is pushed. A rule that waits as long as the usual silence changes no text.
func TestEndpointRule(t *testing.T) {
	e := openTest(t)
	samples := conversationClip(t, 4)
	for _, silence := range []time.Duration{200 * time.Millisecond, 320 * time.Millisecond, 700 * time.Millisecond} {
		var asked []string
		rule := func(p PausedTurn) time.Duration {
			asked = append(asked, p.Text)
			return silence
		}
		ends := onlyText(pushLive(t, openStream(t, e, StreamOptions{Endpoint: rule}), samples), Final)
		whole := openStream(t, e, StreamOptions{Endpoint: rule})
		events, err := whole.Push(t.Context(), samples)
		if err != nil {
			t.Fatal(err)
		}
		if again := onlyText(events, Final); len(again) == 0 || !slices.EqualFunc(ends[:len(again)], again, func(a, b StreamEvent) bool {
			return a.Text == b.Text && a.Start == b.Start && a.At == b.At
		}) {
			t.Errorf("%v: pushed at once the turns differ:\n%v\n%v", silence, ends, again)
		}
		for _, h := range ends[:len(ends)-1] {
			waited := time.Duration((h.At - h.End) * float64(time.Second)).Round(time.Millisecond)
			if waited < silence || waited > silence+32*time.Millisecond {
				t.Errorf("a turn ends after %v of silence, want %v", waited, silence)
			}
			if !slices.Contains(asked, h.Text) {
				t.Errorf("%q was not asked about: %q", h.Text, asked)
			}
		}
		if silence < 700*time.Millisecond {
			continue
		}
		usual := onlyText(pushLive(t, openStream(t, e, StreamOptions{}), samples), Final)
		if !slices.EqualFunc(ends, usual, func(a, b StreamEvent) bool { return a.Text == b.Text && a.At == b.At }) {
			t.Errorf("the turns differ from the usual ones:\n%v\n%v", ends, usual)
		}
	}
}
