package sip_test

import (
	"bytes"
	"math"
	"testing"

	"munadi/appliance/carrier"
	"munadi/engine/audio"
)

// toneSamples returns n samples of a sine.
func toneSamples(hertz float64, n int) []int16 { return toneAt(hertz, n, carrier.Rate) }

func toneAt(hertz float64, n, rate int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(8000 * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate)))
	}
	return out
}

func wavAt(t *testing.T, rate int, pcm []int16) []byte {
	t.Helper()
	sound := make([]float32, len(pcm))
	for i, v := range pcm {
		sound[i] = float32(v) / 32768
	}
	var b bytes.Buffer
	if err := audio.WriteWAV(&b, sound, rate); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tonePowerShare returns the share of a signal's energy at a frequency (Goertzel), from 0 to 1.
func tonePowerShare(sound []float64, hertz, rate float64) float64 {
	w := 2 * math.Cos(2*math.Pi*hertz/rate)
	var a, b, all float64
	for _, v := range sound {
		a, b = v+w*a-b, a
		all += v * v
	}
	if all == 0 {
		return 0
	}
	return 2 * (a*a + b*b - w*a*b) / (float64(len(sound)) * all)
}

// toneSeconds returns for how many seconds a signal is a pure tone, in pieces of 50 ms: a busy machine loses some
// packets, and with them the phase.
func toneSeconds(sound []float64, hertz, rate float64) (seconds float64) {
	n := int(rate / 20)
	for ; len(sound) >= n; sound = sound[n:] {
		if tonePowerShare(sound[:n], hertz, rate) > 0.95 {
			seconds += 0.05
		}
	}
	return seconds
}
