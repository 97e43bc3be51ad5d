package tts

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"time"

	"munadi/appliance/tts/loudness"
	"munadi/engine/audio"
)

// longest is the maximum duration of a prompt.
const longest = 2 * time.Minute

// fade is the fade-in and fade-out in samples: 5 ms.
const fade = Rate / 200

var errSilent = errors.New("it is silent")

// decodeRecording decodes WAV, FLAC or MP3 (without ffmpeg) and normalizes its loudness.
func decodeRecording(ctx context.Context, r io.ReadSeeker) ([]int16, error) {
	samples, err := audio.DecodeAll(ctx, r, audio.DecodeOptions{MaxDuration: longest, FFmpeg: "none"})
	if err != nil {
		return nil, err
	}
	return finishSound(samples, audio.Rate)
}

// decodeWAV decodes an untrusted WAV file.
func decodeWAV(ctx context.Context, data []byte) ([]int16, error) {
	if !bytes.HasPrefix(data, []byte("RIFF")) {
		return nil, errors.New("it is no WAV file")
	}
	return decodeRecording(ctx, bytes.NewReader(data))
}

// decodePCM decodes 16-bit little-endian mono samples.
func decodePCM(data []byte, rate int) ([]int16, error) {
	n := len(data) / 2
	if rate < 8000 || rate > 48000 || n > rate*int(longest.Seconds()) {
		return nil, errors.New("its sample rate or length is not supported for a prompt")
	}
	samples := make([]float32, n)
	for i := range samples {
		samples[i] = float32(int16(uint16(data[2*i])|uint16(data[2*i+1])<<8)) / 32768
	}
	return finishSound(samples, rate)
}

// finishSound converts audio to the line's sample rate and the prompts' loudness.
func finishSound(samples []float32, rate int) ([]int16, error) {
	down := audio.NewResampler(rate, Rate)
	samples = loudness.NormalizeLoudness(down.Flush(down.Push(nil, samples)), Rate)
	if math.IsInf(loudness.IntegratedLoudness(samples, Rate), -1) {
		return nil, errSilent
	}
	return toIntegers(samples), nil
}

func toFloats(pcm []int16) []float32 {
	out := make([]float32, len(pcm))
	for i, s := range pcm {
		out[i] = float32(s) / 32768
	}
	return out
}

func toIntegers(samples []float32) []int16 {
	out := make([]int16, len(samples))
	for i, s := range samples {
		out[i] = int16(math.Round(float64(max(-1, min(1, s))) * 32767))
	}
	return out
}

// fadeEnds fades both ends in place, to avoid clicks.
func fadeEnds(pcm []int16) []int16 {
	for i := range min(fade, len(pcm)/2) {
		last := len(pcm) - 1 - i
		pcm[i] = int16(int(pcm[i]) * i / fade)
		pcm[last] = int16(int(pcm[last]) * i / fade)
	}
	return pcm
}
