package voice

import (
	"context"
	"errors"
	"time"
)

// VoiceTrial are measurements of a voice: one sentence of its most common phonemes on this machine.
type VoiceTrial struct {
	Speech  float64 `json:"speech_s"` // seconds of sound
	Took    float64 `json:"took_s"`   // to synthesize them
	Loudest float32 `json:"loudest"`  // of 1
	Tried   int     `json:"phonemes"`
}

// Speed is the speech of a second of synthesis, in seconds: the inverse of the real-time factor.
func (t VoiceTrial) Speed() float64 { return t.Speech / t.Took }

// errMute is the error of a voice without sound.
var errMute = errors.New("the voice gives silence: its network or its description is not a voice's")

// trialPhonemes are Arabic and common sounds of IPA: those that the voice has are spoken.
const trialPhonemes = "mˈarħabaː kˈajfa ħˈaːluka ʔˈalʔaːn, mˈawʕidukum ʁˈadan."

// trialText returns what a voice says on trial.
func (v *NeuralVoice) trialText() string {
	if v.Characters != nil {
		return "مرحبا، كيف حالك الآن؟ موعدكم غدا."
	}
	return trialPhonemes
}

// RunTrial synthesizes a sentence twice, the first time as a warm-up, and measures it.
func (v *NeuralVoice) RunTrial(ctx context.Context) (VoiceTrial, error) {
	ids, _ := v.EncodePhonemes(v.trialText())
	if ids == nil {
		for id := range int64(min(v.Symbols, 40)) { // another script's characters
			ids = append(ids, id)
		}
	}
	if _, err := v.Synthesize(ctx, ids); err != nil {
		return VoiceTrial{}, err
	}
	started := time.Now()
	samples, err := v.Synthesize(ctx, ids)
	t := VoiceTrial{
		Took: time.Since(started).Seconds(), Speech: float64(len(samples)) / float64(v.SampleRate), Tried: len(ids),
	}
	for _, x := range samples {
		t.Loudest = max(t.Loudest, x, -x)
	}
	if err == nil && t.Loudest < 1e-4 {
		err = errMute
	}
	return t, err
}
