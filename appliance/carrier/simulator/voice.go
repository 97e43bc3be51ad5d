package simulator

import (
	"math"

	"munadi/appliance/carrier"
	"munadi/appliance/speech/bundle"
	"munadi/engine/audio"
)

// voice is one person's way to say a clip.
type voice struct {
	bundle  *bundle.Bundle
	variant string // high, low or nothing
}

// lengths are how long a clip takes in the other voices, where it is only there in the usual one.
var lengths = map[string]float64{"high": 0.9, "low": 1.1}

// say returns a clip as it leaves the person's telephone; nothing for a name that isn't there.
func (v voice) say(name string) []int16 {
	if v.variant != "" {
		if c, own := v.bundle.Clip(name + "." + v.variant); own {
			return banded(v.bundle.PCM(c))
		}
	}
	c, found := v.bundle.Clip(name)
	if !found {
		return nil
	}
	return banded(stretched(v.bundle.PCM(c), v.variant))
}

// words are a clip's words, folded.
func (v voice) words(name string) string {
	c, _ := v.bundle.Clip(name)
	return c.Folded
}

// stretched speaks faster and higher, or slower and lower.
func stretched(pcm []int16, variant string) []int16 {
	length, other := lengths[variant]
	if !other {
		return pcm
	}
	samples := make([]float32, len(pcm))
	for i, s := range pcm {
		samples[i] = float32(s)
	}
	r := audio.NewResampler(carrier.Rate, int(carrier.Rate*length))
	samples = r.Flush(r.Push(nil, samples))
	out := make([]int16, len(samples))
	for i, s := range samples {
		out[i] = int16(max(-32768, min(32767, math.Round(float64(s)))))
	}
	return out
}

// beep is an answering machine's tone.
func beep(hz, seconds float64) []int16 {
	const amplitude, fade = 6000, carrier.Rate / 100
	out := make([]int16, int(seconds*carrier.Rate))
	for i := range out {
		edge := min(1, float64(i)/fade, float64(len(out)-1-i)/fade)
		out[i] = int16(amplitude * edge * math.Sin(2*math.Pi*hz*float64(i)/carrier.Rate))
	}
	return out
}

// pause is silence.
func pause(seconds float64) []int16 { return make([]int16, int(seconds*carrier.Rate)) }

func seconds(s float64) int { return int(s * carrier.Rate / carrier.Samples) }
