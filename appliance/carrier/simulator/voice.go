package simulator

import (
	"math"

	"munadi/appliance/carrier"
	"munadi/appliance/tts/voicepack"
	"munadi/engine/audio"
)

// personVoice is one person's way to say a clip.
type personVoice struct {
	bundle  *voicepack.VoicePack
	variant string // high, low or nothing
}

// lengths are how long a clip takes in the other voices, where it is only there in the usual one.
var lengths = map[string]float64{"high": 0.9, "low": 1.1}

// loadClip returns a clip as it leaves the person's telephone; nothing for a name that isn't there.
func (v personVoice) loadClip(name string) []int16 {
	if v.variant != "" {
		if c, own := v.bundle.Clip(name + "." + v.variant); own {
			return filterTelephoneBand(v.bundle.PCM(c))
		}
	}
	c, found := v.bundle.Clip(name)
	if !found {
		return nil
	}
	return filterTelephoneBand(stretchVoice(v.bundle.PCM(c), v.variant))
}

// clipWords are a clip's words, folded.
func (v personVoice) clipWords(name string) string {
	c, _ := v.bundle.Clip(name)
	return c.Folded
}

// stretchVoice speaks faster and higher, or slower and lower.
func stretchVoice(pcm []int16, variant string) []int16 {
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

// makeBeep is an answering machine's tone.
func makeBeep(hz, seconds float64) []int16 {
	const amplitude, fade = 6000, carrier.Rate / 100
	out := make([]int16, int(seconds*carrier.Rate))
	for i := range out {
		edge := min(1, float64(i)/fade, float64(len(out)-1-i)/fade)
		out[i] = int16(amplitude * edge * math.Sin(2*math.Pi*hz*float64(i)/carrier.Rate))
	}
	return out
}

// makeSilence is silence.
func makeSilence(seconds float64) []int16 { return make([]int16, int(seconds*carrier.Rate)) }

func samplesForSeconds(s float64) int { return int(s * carrier.Rate / carrier.Samples) }
