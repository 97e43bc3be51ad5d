package tts

import (
	"bytes"
	"math"
	"testing"

	"munadi/engine/audio"
)

// An endpoint's answer never causes a panic; the result is a prompt or an error.
func FuzzAnswer(f *testing.F) {
	samples := make([]float32, 400)
	for i := range samples {
		samples[i] = float32(math.Sin(float64(i) / 5))
	}
	var wav bytes.Buffer
	if err := audio.WriteWAV(&wav, samples, 8000); err != nil {
		f.Fatal(err)
	}
	f.Add("audio/wav", wav.Bytes())
	f.Add("audio/wav", wav.Bytes()[:60])
	f.Add("audio/pcm", wav.Bytes())
	f.Add("audio/pcm;rate=1", wav.Bytes()[44:])
	f.Add("audio/pcm;rate=999999999999", wav.Bytes()[44:])
	f.Add("text/html", []byte("<html>"))
	f.Add("", []byte("RIFF"))
	f.Fuzz(func(t *testing.T, contentType string, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("long")
		}
		sound, err := decodeAnswer(t.Context(), contentType, data)
		n := len(sound.PCM)
		if err == nil && (n == 0 || n > Rate*int(longest.Seconds())+1 || len(sound.Wide) != 2*n) {
			t.Errorf("%d samples and no error", n)
		}
	})
}
