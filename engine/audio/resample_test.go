package audio_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"munadi/engine/audio"
)

// sineSecond returns a second of a sine of amplitude one half.
func sineSecond(rate int, hz float64) []float32 {
	s := make([]float32, rate)
	for i := range s {
		s[i] = float32(0.5 * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return s
}

func resampleAll(from, to int, in []float32) []float32 {
	r := audio.NewResampler(from, to)
	return r.Flush(r.Push(nil, in))
}

// signalLevel returns the loudness of the middle half against a full sine of amplitude one half, in dB.
func signalLevel(s []float32) float64 {
	sum := 0.0
	middle := s[len(s)/4 : 3*len(s)/4]
	for _, v := range middle {
		sum += float64(v) * float64(v)
	}
	return 10 * math.Log10(sum/float64(len(middle))/0.125+1e-30)
}

func TestResamplerPassesSpeechAndStopsAliases(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 11025, 22050, 24000, 32000, 44100, 44101, 48000, 96000, 192000, 383999} {
		nyquist := float64(min(rate, audio.Rate)) / 2
		for _, hz := range []float64{100, 0.5 * nyquist, 0.8 * nyquist} {
			if got := signalLevel(resampleAll(rate, audio.Rate, sineSecond(rate, hz))); math.Abs(got) > 0.05 {
				t.Errorf("%d Hz: a tone of %.0f Hz comes out at %.3f dB", rate, hz, got)
			}
		}
		if rate < 22050 {
			continue
		}
		for _, hz := range []float64{8400, 9000, 10000} {
			if got := signalLevel(resampleAll(rate, audio.Rate, sineSecond(rate, hz))); got > -90 {
				t.Errorf("%d Hz: a tone of %.0f Hz leaves an alias of %.1f dB", rate, hz, got)
			}
		}
	}
}

// TestResamplerKeepsTime: there is no delay, and n samples become ceil(n·to/from).
func TestResamplerKeepsTime(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{4000, 8000, 16000, 44100, 48000, 383999} {
		got := resampleAll(rate, audio.Rate, toneAt(rate, rate/2+1))
		want := int(math.Ceil(float64(rate/2+1) * audio.Rate / float64(rate)))
		if len(got) != want {
			t.Errorf("%d Hz: %d samples, want %d", rate, len(got), want)
		}
		if db, lag := matchTones(got, 1); lag != 0 || (db < 75 && rate > 4000) {
			t.Errorf("%d Hz: %.1f dB from the original at lag %d", rate, db, lag)
		}
	}
}

// TestResamplerChunking: the output does not depend on how the input is split.
func TestResamplerChunking(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	in := make([]float32, 4000)
	for i := range in {
		in[i] = rng.Float32() - 0.5
	}
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom([]int{8000, 16000, 44100, 48000, 44101, 192000}).Draw(t, "from")
		to := rapid.SampledFrom([]int{8000, 16000, 24000}).Draw(t, "to")
		want := resampleAll(from, to, in)
		r := audio.NewResampler(from, to)
		var got []float32
		for rest := in; len(rest) > 0; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "n")
			if n == 0 && rapid.Bool().Draw(t, "all") {
				n = len(rest)
			}
			got = r.Push(got, rest[:n])
			rest = rest[n:]
		}
		got = r.Flush(got)
		if len(got) != len(want) {
			t.Fatalf("%d samples, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("sample %d is %v, want %v", i, got[i], want[i])
			}
		}
	})
}

func BenchmarkResample(b *testing.B) {
	for name, rate := range map[string]int{"8k": 8000, "44k1": 44100, "48k": 48000} {
		in := sineSecond(rate, 1000)
		b.Run(name, func(b *testing.B) {
			r := audio.NewResampler(rate, audio.Rate)
			var out []float32
			for range b.N {
				out = r.Push(out[:0], in)
			}
		})
	}
}
