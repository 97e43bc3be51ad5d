package simulator

import (
	"math"

	"munadi/appliance/carrier"
	"munadi/appliance/tts/voicepack"
	"munadi/engine/audio"
)

// personVoice is one person's voice.
type personVoice struct {
	bundle  *voicepack.VoicePack
	variant string // high, low or empty
}

// lengths are the time-stretch factors of the other voices, for clips that exist in the normal voice only.
var lengths = map[string]float64{"high": 0.9, "low": 1.1}

// loadClip returns a clip in the telephone band; empty for an unknown name.
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

// clipWords returns a clip's normalized words.
func (v personVoice) clipWords(name string) string {
	c, _ := v.bundle.Clip(name)
	return c.Folded
}

// stretchVoice speaks faster and higher, or slower and lower (resampling).
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

// makeBeep returns an answering machine's beep.
func makeBeep(hz, seconds float64) []int16 {
	const amplitude, fade = 6000, carrier.Rate / 100
	out := make([]int16, int(seconds*carrier.Rate))
	for i := range out {
		edge := min(1, float64(i)/fade, float64(len(out)-1-i)/fade)
		out[i] = int16(amplitude * edge * math.Sin(2*math.Pi*hz*float64(i)/carrier.Rate))
	}
	return out
}

// makeSilence returns silence.
func makeSilence(seconds float64) []int16 { return make([]int16, int(seconds*carrier.Rate)) }

func samplesForSeconds(s float64) int { return int(s * carrier.Rate / carrier.Samples) }
