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

// fade is the fade-in and fade-out of joined clips.
const fade = 5 * time.Millisecond

var errSilent = errors.New("it is silent")

// decodeRecording decodes WAV, FLAC or MP3 (without ffmpeg) and normalizes its loudness.
func decodeRecording(ctx context.Context, r io.ReadSeeker) (SpokenSound, error) {
	samples, err := audio.DecodeAll(ctx, r, audio.DecodeOptions{MaxDuration: longest, FFmpeg: "none"})
	if err != nil {
		return SpokenSound{}, err
	}
	return finishSound(samples)
}

// decodeWAV decodes an untrusted WAV file.
func decodeWAV(ctx context.Context, data []byte) (SpokenSound, error) {
	if !bytes.HasPrefix(data, []byte("RIFF")) {
		return SpokenSound{}, errors.New("it is no WAV file")
	}
	return decodeRecording(ctx, bytes.NewReader(data))
}

// decodePCM decodes 16-bit little-endian mono samples.
func decodePCM(data []byte, rate int) (SpokenSound, error) {
	n := len(data) / 2
	if rate < 8000 || rate > 48000 || n > rate*int(longest.Seconds()) {
		return SpokenSound{}, errors.New("its sample rate or length is not supported for a prompt")
	}
	samples := make([]float32, n)
	for i := range samples {
		samples[i] = float32(int16(uint16(data[2*i])|uint16(data[2*i+1])<<8)) / 32768
	}
	wide := audio.NewResampler(rate, WideRate)
	return finishSound(wide.Flush(wide.Push(nil, samples)))
}

// finishSound converts samples at [WideRate] to playable audio: for lines of either rate, each at the prompts'
// loudness.
func finishSound(wide []float32) (SpokenSound, error) { return levelSound(bothRates(wide)) }

// bothRates returns samples at [WideRate] at both rates, twice as many wide ones as narrow ones.
func bothRates(wide []float32) (narrow, even []float32) {
	down := audio.NewResampler(WideRate, Rate)
	narrow = down.Flush(down.Push(nil, wide))
	even = make([]float32, 2*len(narrow))
	copy(even, wide)
	return narrow, even
}

// levelSound brings samples at both rates to the prompts' loudness.
func levelSound(narrow, even []float32) (SpokenSound, error) {
	narrow, even = loudness.NormalizeLoudness(narrow, Rate), loudness.NormalizeLoudness(even, WideRate)
	if math.IsInf(loudness.IntegratedLoudness(narrow, Rate), -1) {
		return SpokenSound{}, errSilent
	}
	return SpokenSound{PCM: audio.AppendInt16(nil, narrow), Wide: audio.AppendInt16(nil, even)}, nil
}

// fadeEnds fades both ends in place, to avoid clicks.
func fadeEnds(pcm []int16, rate int) []int16 {
	fade := rate * int(fade/time.Millisecond) / 1000
	for i := range min(fade, len(pcm)/2) {
		last := len(pcm) - 1 - i
		pcm[i] = int16(int(pcm[i]) * i / fade)
		pcm[last] = int16(int(pcm[last]) * i / fade)
	}
	return pcm
}

// Silence at the ends of a recording, measured in windows: quieter by silentBelow than the loudest one.
const (
	trimWindow  = WideRate / 50 // 20 ms
	trimMargin  = WideRate / 5  // 200 ms that stay before the first and behind the last sound
	silentBelow = 0.0178        // -35 dB
)

// trimSilence cuts the silence at both ends of samples at [WideRate].
func trimSilence(samples []float32) []float32 {
	levels := windowLevels(samples)
	loudest := 0.0
	for _, level := range levels {
		loudest = max(loudest, level)
	}
	first, last := -1, -1
	for i, level := range levels {
		if level > loudest*silentBelow {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return samples
	}
	from, to := max(0, first*trimWindow-trimMargin), min(len(samples), (last+1)*trimWindow+trimMargin)
	return samples[from:to]
}

// windowLevels returns the RMS level of each window.
func windowLevels(samples []float32) []float64 {
	var levels []float64
	for at := 0; at < len(samples); at += trimWindow {
		levels = append(levels, audio.MeasureRMS(samples[at:min(len(samples), at+trimWindow)]))
	}
	return levels
}
