package modelcheck

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"

	"munadi/engine/audio"
)

// rate is the sample rate of an engine, in Hz.
const rate = audio.Rate

// trialClip is a recording with its reference transcript.
type trialClip struct {
	name, said string
	samples    []float32
}

// texts are the reference transcripts of the sample clips, by file in the samples' folder.
var texts = []trialClip{
	{name: "samples/confirm.flac", said: "نعم أؤكد الموعد"},
	{name: "samples/time.flac", said: "الساعة الخامسة مساء"},
	{
		name: "samples/appointment.flac",
		said: "نعم أريد تغيير الموعد يوم الخميس الساعة الخامسة مساء نعم أؤكد الموعد",
	},
	{
		name: "samples/order.flac",
		said: "ألو السلام عليكم بيتزا واحدة كبيرة عصير برتقال توصيل شارع الملك فهد عمارة عشرين شكرا مع السلامة",
	},
}

// loadClips decodes the clips. They are embedded files: no child process and no ffmpeg is needed.
func loadClips(ctx context.Context, samples fs.FS) ([]trialClip, error) {
	clips := make([]trialClip, 0, len(texts))
	for _, c := range texts {
		b, err := fs.ReadFile(samples, c.name)
		if err != nil {
			return nil, err
		}
		if c.samples, err = audio.DecodeAll(ctx, bytes.NewReader(b), audio.DecodeOptions{FFmpeg: "none"}); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		clips = append(clips, c)
	}
	return clips, nil
}

// nonSpeechClips returns silence, noise and a mains hum, four seconds each, the same in every trial.
func nonSpeechClips() [][]float32 {
	const n = 4 * rate
	rng := rand.New(rand.NewPCG(1, 1))
	noise, hum := make([]float32, n), make([]float32, n)
	for i := range n {
		noise[i] = float32(0.02 * rng.NormFloat64())
		phase := 2 * math.Pi * 50 * float64(i) / rate
		hum[i] = float32(0.05*math.Sin(phase) + 0.02*math.Sin(3*phase))
	}
	return [][]float32{make([]float32, n), noise, hum}
}
