package engine

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkStream measures live audio: a frame of 20 ms in silence, the partial text of an open turn by its length, and
// its final text.
func BenchmarkStream(b *testing.B) {
	e := openTest(b)
	b.Run("silence", func(b *testing.B) {
		s, frame := openStream(b, e, StreamOptions{}), make([]float32, sampleRate/50)
		for b.Loop() {
			if _, err := s.Push(b.Context(), frame); err != nil {
				b.Fatal(err)
			}
		}
	})
	speech := conversationClip(b, 1)
	speech = speech[sampleRate : len(speech)-sampleRate]
	for len(speech) < openSeconds*sampleRate {
		speech = append(speech, speech...)
	}
	for _, n := range []int{1, 2, 4, openSeconds - 1} {
		s := openStream(b, e, StreamOptions{Partial: time.Hour})
		if _, err := s.Push(b.Context(), speech[:n*sampleRate]); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("partial/%ds", n), func(b *testing.B) {
			s.opt.Partial = time.Nanosecond
			for b.Loop() {
				s.partial, s.took = 0, 0
				if _, err := s.emitPartial(b.Context(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("final/%ds", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.decodeSamples(b.Context(), s.requestAt(Live), s.start, s.turns.last*window, s.plan); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
