package loudness_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"munadi/appliance/tts/loudness"
)

// toneAt is a sine of the given peak (dBFS) and length (seconds).
func toneAt(hz, dBFS, seconds float64, rate int) []float32 {
	out := make([]float32, int(seconds*float64(rate)))
	a := math.Pow(10, dBFS/20)
	for i := range out {
		out[i] = float32(a * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return out
}

// BS.1770-4: a 997 Hz sine at full scale in one channel reads -3.01; 1 kHz at -23 dBFS in both reads -23 in EBU Tech
// 3341, so -26 in one.
func TestIntegratedOfKnownTones(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		hz, dBFS float64
		rate     int
		want     float64
	}{
		{"full scale at 48 kHz", 997, 0, 48000, -3.01},
		{"full scale at 16 kHz", 997, 0, 16000, -3.01},
		{"full scale at 8 kHz", 997, 0, 8000, -3.01},
		{"EBU 3341 case 1, one channel", 1000, -23, 48000, -26.02},
		{"quiet at 8 kHz", 1000, -40, 8000, -43.02},
		{"the high pass", 25, -20, 8000, -20 - 3.01 - 10.44 - 0.69},
		{"below the absolute gate", 1000, -80, 8000, math.Inf(-1)},
	} {
		got := loudness.IntegratedLoudness(toneAt(c.hz, c.dBFS, 3, c.rate), c.rate)
		if got != c.want && math.Abs(got-c.want) > 0.25 {
			t.Errorf("%s: %.2f LUFS, want %.2f", c.name, got, c.want)
		}
	}
}

// EBU Tech 3341 case 3: quiet parts fall to the relative gate.
func TestRelativeGateLeavesPausesOut(t *testing.T) {
	t.Parallel()
	const rate = 8000
	var all []float32
	for _, part := range []struct{ dBFS, seconds float64 }{{-36, 10}, {-23, 60}, {-36, 10}} {
		all = append(all, toneAt(1000, part.dBFS, part.seconds, rate)...)
	}
	if got := loudness.IntegratedLoudness(all, rate); math.Abs(got+26.02) > 0.25 {
		t.Errorf("%.2f LUFS, want -26.02", got)
	}
}

// BS.1770-4 annex 2: a sine at a quarter of the rate, sampled off its crests, peaks 3 dB above its samples.
func TestTruePeakLiesBetweenSamples(t *testing.T) {
	t.Parallel()
	samples := make([]float32, 4000)
	for i := range samples {
		samples[i] = float32(0.5 * math.Sin(math.Pi/2*float64(i)+math.Pi/4))
	}
	if got := loudness.TruePeak(samples[200:3800], 8000); math.Abs(got-0.5) > 0.03 {
		t.Errorf("true peak = %.3f, want 0.5 (the samples reach 0.354)", got)
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()
	const rate = 8000
	clicks := toneAt(300, -32, 3, rate)
	for i := 400; i < len(clicks); i += 2500 {
		clicks[i], clicks[i+1] = 0.9, -0.8
	}
	rng := rand.New(rand.NewPCG(1, 2))
	bursts := make([]float32, 3*rate)
	for i := range bursts {
		bursts[i] = float32(0.01 * rng.NormFloat64())
		if i%8000 < 800 {
			bursts[i] *= 30
		}
	}
	for _, c := range []struct {
		name    string
		samples []float32
	}{
		{"loud tone", toneAt(500, -3, 2, rate)},
		{"quiet tone", toneAt(500, -45, 2, rate)},
		{"short", toneAt(500, -10, 0.15, rate)},
		{"clicks", clicks},
		{"bursts", bursts},
	} {
		out := loudness.NormalizeLoudness(c.samples, rate)
		if len(out) != len(c.samples) {
			t.Errorf("%s: %d samples of %d", c.name, len(out), len(c.samples))
		}
		if got := loudness.IntegratedLoudness(out, rate); math.Abs(got-loudness.Target) > 1 {
			t.Errorf("%s: %.2f LUFS, want %.0f ± 1", c.name, got, loudness.Target)
		}
		if got := 20 * math.Log10(loudness.TruePeak(out, rate)); got > loudness.Ceiling+0.3 {
			t.Errorf("%s: true peak %.2f dB, want at most %.1f", c.name, got, loudness.Ceiling)
		}
	}
}

func TestLevelOfNothing(t *testing.T) {
	t.Parallel()
	for _, samples := range [][]float32{nil, {0}, make([]float32, 9000), {0.5}} {
		if out := loudness.NormalizeLoudness(samples, 8000); len(out) != len(samples) {
			t.Errorf("%d samples became %d", len(samples), len(out))
		}
	}
}
