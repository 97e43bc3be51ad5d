package vad_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/vad"
)

// echoNetwork is a network whose results reveal its inputs: a frame's probability is its first new
// sample, and its state counts windows. It checks that frames overlap by 64 samples.
type echoNetwork struct {
	t      rapid.TB
	tail   [64]float32
	calls  []int
	broken func(probs, h []float32) ([]float32, []float32, error)
}

func (e *echoNetwork) RunVAD(
	_ context.Context, input []float32, frames int, h, c []float32,
) (probs, hn, cn []float32, err error) {
	e.calls = append(e.calls, frames)
	if len(input) != frames*576 || len(h) != 128 || len(c) != 128 {
		e.t.Errorf("%d frames: %d inputs, memories of %d and %d", frames, len(input), len(h), len(c))
	}
	hn, cn = slices.Clone(h), slices.Clone(c)
	for i := range frames {
		frame := input[i*576:][:576]
		if !slices.Equal(frame[:64], e.tail[:]) {
			e.t.Errorf("call %d, frame %d doesn't begin with the last 64 samples", len(e.calls), i)
		}
		copy(e.tail[:], frame[512:])
		hn[0]++
		cn[127]--
		probs = append(probs, frame[64])
	}
	if hn[0] != -cn[127] {
		e.t.Errorf("memories were mixed up: %v, %v", hn[0], cn[127])
	}
	if e.broken != nil {
		probs, hn, err = e.broken(probs, hn)
	}
	return probs, hn, cn, err
}

// TestStreamDoesNotCareHowSamplesArrive pushes a numbered signal in random pieces.
func TestStreamDoesNotCareHowSamplesArrive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.IntRange(0, 1500), 0, 12).Draw(t, "pieces")
		net := &echoNetwork{t: t}
		s := vad.NewStream(net)
		var probs []float32
		total := 0
		for _, n := range pieces {
			piece := make([]float32, n)
			for i := range piece {
				piece[i] = float32(total + i + 1)
			}
			total += n
			got, err := s.PushSamples(t.Context(), piece)
			if err != nil {
				t.Fatal(err)
			}
			probs = append(probs, got...)
			if len(probs) != total/512 {
				t.Fatalf("%d probabilities of %d samples", len(probs), total)
			}
		}
		last, err := s.Flush(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		probs = append(probs, last...)
		if len(probs) != (total+511)/512 {
			t.Fatalf("%d probabilities of %d samples after Flush", len(probs), total)
		}
		for i, p := range probs {
			if p != float32(512*i+1) {
				t.Fatalf("window %d begins with sample %v", i, p)
			}
		}
	})
}

func TestStreamLimitsACall(t *testing.T) {
	t.Parallel()
	net := &echoNetwork{t: t}
	probs, err := vad.NewStream(net).PushSamples(t.Context(), make([]float32, 1200*512+5))
	if err != nil || len(probs) != 1200 || slices.Max(net.calls) > 94 {
		t.Errorf("calls of %v, %d probabilities, %v", net.calls, len(probs), err)
	}
}

func TestStreamFillsTheLastWindowWithZeros(t *testing.T) {
	t.Parallel()
	net := &echoNetwork{t: t}
	s := vad.NewStream(net)
	if _, err := s.PushSamples(t.Context(), slices.Repeat([]float32{1}, 500)); err != nil {
		t.Fatal(err)
	}
	if probs, err := s.Flush(t.Context()); err != nil || len(probs) != 1 {
		t.Fatal(probs, err)
	}
	want := append(slices.Repeat([]float32{1}, 52), make([]float32, 12)...)
	if !slices.Equal(net.tail[:], want) {
		t.Errorf("the last window ends with %v", net.tail)
	}
	if probs, err := s.Flush(t.Context()); err != nil || len(probs) != 0 {
		t.Errorf("a second Flush gave %v, %v", probs, err)
	}
}

func TestStreamReportsTheNetworksFaults(t *testing.T) {
	t.Parallel()
	fault := errors.New("out of memory")
	cases := []struct {
		name   string
		broken func(probs, h []float32) ([]float32, []float32, error)
		want   string
	}{
		{"error", func(p, h []float32) ([]float32, []float32, error) { return p, h, fault }, "out of memory"},
		{"too few", func(p, h []float32) ([]float32, []float32, error) { return p[1:], h, nil }, "1 probabilities"},
		{"no memory", func(p, _ []float32) ([]float32, []float32, error) { return p, nil, nil }, "states of 0"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := vad.NewStream(&echoNetwork{t: t, broken: c.broken}).PushSamples(t.Context(), make([]float32, 1024))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one with %q", err, c.want)
			}
			if c.name == "error" && !errors.Is(err, fault) {
				t.Errorf("%v hides its cause", err)
			}
		})
	}
}
