// Command make-prompts makes the bundled voice from clean recordings:
//
//	go run ./packaging/make-prompts ../shared/speech/prompts assets/prompts
//
// The first folder holds NAME.flac at any rate, and texts.tsv with a line "NAME, tab, text with vowel marks" for each;
// NAME.high.flac and NAME.low.flac are the same words in other voices. The second gets texts.tsv, voice.ulaw
// and voice.g722, as package assets/prompts describes them. Each clip loses its silence at both ends, and is levelled
// at 8 kHz and at 16 kHz.
// Clips that were not recorded as a whole are joined from parts of others: splices.tsv.
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
	"munadi/appliance/tts/voicepack"
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
	var voice promptVoice
	for line := range strings.Lines(string(texts)) {
		base, vocalized, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		for _, variant := range []string{"", ".high", ".low"} {
			name := base + variant
			samples, err := readClip(filepath.Join(from, name+".flac"))
			if os.IsNotExist(err) && variant != "" {
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			voice.addClip(name, vocalized, samples)
		}
	}
	for _, s := range readSplices() {
		samples, err := s.joinParts(from)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		voice.addClip(s.name, s.vocalized, samples)
	}
	return voice.writeFiles(to)
}

// promptVoice is the voice in the making: the content of its three files.
type promptVoice struct {
	index        strings.Builder
	narrow, wide []byte
}

// addClip adds a recording at 16 kHz.
func (v *promptVoice) addClip(name, vocalized string, samples []float32) {
	narrow, wide := encodeClip(samples)
	fmt.Fprintf(&v.index, "%s\t%d\t%d\t%s\t%s\n", name, len(v.narrow), len(narrow), vocalized, stripVowels(vocalized))
	v.narrow = append(v.narrow, narrow...)
	if (voicepack.VoiceClip{Name: name}).IsSpoken() {
		v.wide = append(v.wide, wide...)
	}
}

func (v *promptVoice) writeFiles(to string) error {
	for name, data := range map[string][]byte{
		"texts.tsv": []byte(v.index.String()), "voice.ulaw": v.narrow, "voice.g722": v.wide,
	} {
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
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

// readClip returns a recording at 16 kHz.
func readClip(path string) ([]float32, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return audio.DecodeAll(context.Background(), f, audio.DecodeOptions{FFmpeg: "none"})
}

// encodeClip trims and levels a clip at 16 kHz. It returns it as µ-law at 8 kHz and as G.722, of the same size.
func encodeClip(samples []float32) (narrow, wide []byte) {
	down := audio.NewResampler(audio.Rate, rate)
	low := down.Flush(down.Push(nil, samples))
	first, last := spokenSpan(low)
	for _, v := range levelClip(low[first:last], rate) {
		narrow = append(narrow, audio.EncodeMuLaw(v))
	}
	high := make([]float32, 2*(last-first)) // the resampled clip may be longer by a sample
	copy(high, samples[2*first:])
	return narrow, audio.NewG722Encoder().EncodeSamples(nil, levelClip(high, audio.Rate))
}

// levelClip fades both ends and levels a clip.
func levelClip(samples []float32, rate int) []int16 {
	fade := rate * 5 / 1000
	for i := range min(fade, len(samples)) {
		gain := float32(i) / float32(fade)
		samples[i] *= gain
		samples[len(samples)-1-i] *= gain
	}
	out := make([]int16, len(samples))
	for i, s := range loudness.NormalizeLoudness(samples, rate) {
		out[i] = int16(math.Round(float64(max(-1, min(1, s))) * 32767))
	}
	return out
}

// Silence is what is so far below the loudest 10 ms. Some of it stays, faded, so that soft consonants do.
const (
	silence = -45.0 // dB
	frame   = rate / 100
	before  = 4 * frame
	after   = 7 * frame
)

// spokenSpan returns where a clip at 8 kHz begins and ends without its silence.
func spokenSpan(samples []float32) (from, to int) {
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
	return max(0, first*frame-before), min(len(samples), last*frame+after)
}
