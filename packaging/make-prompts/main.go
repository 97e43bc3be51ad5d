// Command make-prompts makes the bundled voice from clean recordings:
//
//	go run ./packaging/make-prompts ../shared/speech/prompts assets/prompts
//
// The first folder holds NAME.flac at any rate, and texts.tsv with a line "NAME, tab, text with vowel marks" for each;
// NAME.high.flac and NAME.low.flac are the same words in other voices. The second gets texts.tsv and voice.ulaw, as
// package assets/prompts describes them. Each clip loses its silence at both ends, is brought to 8 kHz and levelled.
// What was never recorded as a whole is joined of parts of those clips: splices.tsv.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"munadi/appliance/tts/loudness"
	"munadi/engine/audio"
)

const rate = 8000

func main() {
	if len(os.Args) > 1 && os.Args[1] == "decode-audio" { // the child that decodes Opus
		if err := audio.RunHelper(os.Args[2:], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: make-prompts RECORDINGS PROMPTS")
		os.Exit(2)
	}
	if err := buildPrompts(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "make-prompts:", err)
		os.Exit(1)
	}
}

func buildPrompts(from, to string) error {
	texts, err := os.ReadFile(filepath.Join(from, "texts.tsv"))
	if err != nil {
		return err
	}
	var index strings.Builder
	var voice []byte
	for line := range strings.Lines(string(texts)) {
		base, vocalised, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		for _, variant := range []string{"", ".high", ".low"} {
			name := base + variant
			clip, err := convertToMuLaw(filepath.Join(from, name+".flac"))
			if os.IsNotExist(err) && variant != "" {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(&index, "%s\t%d\t%d\t%s\t%s\n", name, len(voice), len(clip), vocalised, stripVowels(vocalised))
			voice = append(voice, clip...)
		}
	}
	for _, s := range readSplices() {
		clip, err := s.joinParts(from)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Fprintf(&index, "%s\t%d\t%d\t%s\t%s\n", s.name, len(voice), len(clip), s.vocalised, stripVowels(s.vocalised))
		voice = append(voice, clip...)
	}
	if err := os.WriteFile(filepath.Join(to, "texts.tsv"), []byte(index.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "voice.ulaw"), voice, 0o644)
}

// stripVowels takes the vowel marks off.
func stripVowels(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) || r == 'ـ' {
			return -1
		}
		return r
	}, text)
}

// convertToMuLaw returns a recording as µ-law.
func convertToMuLaw(path string) ([]byte, error) {
	samples, err := readClip(path)
	if err != nil {
		return nil, err
	}
	return encodeClip(samples), nil
}

// readClip returns a recording at 16 kHz.
func readClip(path string) ([]float32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return audio.DecodeAll(context.Background(), f, audio.DecodeOptions{FFmpeg: "none"})
}

// encodeClip trims and levels a clip and makes it µ-law.
func encodeClip(samples []float32) []byte {
	down := audio.NewResampler(audio.Rate, rate)
	samples = down.Flush(down.Push(nil, samples))
	samples = loudness.NormalizeLoudness(trimSilence(samples), rate)
	out := make([]byte, len(samples))
	for i, s := range samples {
		out[i] = audio.EncodeMuLaw(int16(math.Round(float64(max(-1, min(1, s))) * 32767)))
	}
	return out
}

// Silence is what is so far below the loudest 10 ms. Some of it stays, faded, so that soft consonants do.
const (
	silence = -45.0 // dB
	frame   = rate / 100
	before  = 4 * frame
	after   = 7 * frame
	fade    = rate * 5 / 1000
)

func trimSilence(samples []float32) []float32 {
	powers := make([]float64, 0, len(samples)/frame)
	loudest := 0.0
	for i := 0; i+frame <= len(samples); i += frame {
		p := 0.0
		for _, s := range samples[i : i+frame] {
			p += float64(s) * float64(s)
		}
		powers = append(powers, p)
		loudest = max(loudest, p)
	}
	floor := loudest * math.Pow(10, silence/10)
	first, last := len(powers), 0
	for i, p := range powers {
		if p > floor {
			first, last = min(first, i), i+1
		}
	}
	out := samples[max(0, first*frame-before):min(len(samples), last*frame+after)]
	for i := range min(fade, len(out)) {
		gain := float32(i) / fade
		out[i] *= gain
		out[len(out)-1-i] *= gain
	}
	return out
}
