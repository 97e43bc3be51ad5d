package engine

import (
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"munadi/engine/queue"
)

// BenchmarkCachedPartials measures partial texts of a cache-aware model, by the length of the turn and by latency:
// "ratio" is the cost of a partial text over that of its new frames in one run over the whole turn.
// MUNADI_BENCH_STREAMING is the folder of a model; without it the small test model is used.
func BenchmarkCachedPartials(b *testing.B) {
	e := openCachedBench(b)
	speech := conversationClip(b, 1)
	speech = speech[sampleRate : len(speech)-sampleRate]
	for len(speech) < 12*sampleRate {
		speech = append(speech, speech...)
	}
	bare := bareSecond(b, e, speech[:12*sampleRate])
	for _, latency := range e.LiveLatencies() {
		for _, before := range []int{1, 4, 8} {
			b.Run(fmt.Sprintf("latency%v/after%ds", latency, before), func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					took = append(took, timePartials(b, e, speech, before, latency)...)
				}
				slices.Sort(took)
				median := took[len(took)/2]
				b.ReportMetric(float64(median.Microseconds())/1000, "ms/partial")
				b.ReportMetric(median.Seconds()/(bare*latency.Seconds()), "ratio")
			})
		}
	}
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			bareSecond(b, e, speech[:12*sampleRate])
		}
		b.ReportMetric(1000*bare, "ms/s-of-speech")
	})
}

// timePartials returns the CPU time of each of eight partial texts, after before seconds of the turn.
func timePartials(b *testing.B, e *Engine, speech []float32, before int, latency time.Duration) (took []time.Duration) {
	s := openStream(b, e, StreamOptions{Partial: time.Hour, Latency: latency})
	step := int(latency * sampleRate / time.Second)
	for at, next := 0, before*sampleRate; next <= len(speech) && len(took) <= 8; at, next = next, next+step {
		if _, err := s.Push(b.Context(), speech[at:next]); err != nil {
			b.Fatal(err)
		}
		leave, err := s.admitAudio(b.Context(), 0)
		if err != nil {
			b.Fatal(err)
		}
		began := processorTime(b)
		if _, _, err := s.decodeSoFar(b.Context(), s.requestAt(queue.PartialText)); err != nil {
			b.Fatal(err)
		}
		took = append(took, processorTime(b)-began)
		leave()
	}
	return took[1:]
}

// bareSecond returns the CPU seconds of encoder and search per second of a whole turn: the best of three.
func bareSecond(b *testing.B, e *Engine, speech []float32) float64 {
	s := openStream(b, e, StreamOptions{})
	best := time.Duration(math.MaxInt64)
	for range 3 {
		r, err := e.admitRequest(b.Context(), Live, 0)
		if err != nil {
			b.Fatal(err)
		}
		began := processorTime(b)
		if _, err := r.decodeChunk(b.Context(), speechChunk{samples: speech, speech: 1}, s.plan); err != nil {
			b.Fatal(err)
		}
		best = min(best, processorTime(b)-began)
		r.leaveQueue(0)
	}
	return best.Seconds() / secondsOf(len(speech))
}

// processorTime returns the CPU time of this process, which hardly depends on other processes.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func openCachedBench(b *testing.B) *Engine {
	dir := os.Getenv("MUNADI_BENCH_STREAMING")
	if dir == "" {
		return openCached(b, 0)
	}
	cfg := testConfig(b)
	cfg.Threads = 1 // waiting threads would be counted
	e, err := OpenDir(dir, cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	return e
}
