package voice

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Limits of a description.
const (
	maxConfig   = 1 << 20 // bytes
	maxSymbols  = 4096
	maxSpeakers = 4096
	lowestRate  = 8000 // Hz
	highestRate = 48000
)

// Phonemizers of voices.
const (
	ESpeakPhonemes = "espeak" // IPA of espeak-ng
	TextPhonemes   = "text"   // the characters of the text
)

// Config is the description of a voice, NAME.onnx.json.
type Config struct {
	SampleRate int    // Hz
	Phonemes   string // [ESpeakPhonemes] or [TextPhonemes]
	ESpeak     string // voice of espeak-ng that makes the phonemes, such as ar
	Language   string // ISO 639-1 where it is given, else of ESpeak
	Symbols    int    // number of phoneme ids
	Speakers   int
	Speaker    int                // id of the one that speaks
	IDs        map[string][]int64 // ids by phoneme: one character, or a cluster of several
	Clusters   [][]string         // phonemes that are one phoneme together, such as a and ɪ
	Noise      float32            // variation of the sound
	Length     float32            // of phonemes; above 1 slower
	NoiseW     float32            // variation of the phonemes' lengths
	License    string             // empty: not given
	Characters []int32            // ids by code point of a voice that reads characters, -1 for none; nil: it has phonemes

	latent latentShape
}

// configFile is the JSON file. Fields that are absent have Piper's defaults.
type configFile struct {
	Audio struct {
		SampleRate int `json:"sample_rate"`
	} `json:"audio"`
	ESpeak struct {
		Voice string `json:"voice"`
	} `json:"espeak"`
	Language struct {
		Family string `json:"family"`
	} `json:"language"`
	PhonemeType string `json:"phoneme_type"`
	Inference   struct {
		Noise  *float32 `json:"noise_scale"`
		Length *float32 `json:"length_scale"`
		NoiseW *float32 `json:"noise_w"`
	} `json:"inference"`
	Symbols  int                `json:"num_symbols"`
	Speakers int                `json:"num_speakers"`
	Speaker  int                `json:"default_speaker_id"`
	IDs      map[string][]int64 `json:"phoneme_id_map"`
	Clusters [][]string         `json:"vowel_clusters"`
	License  string             `json:"license"`
}

// ParseConfig reads the description of a voice. The error names the field and what is accepted.
func ParseConfig(file []byte) (Config, error) {
	if len(file) > maxConfig {
		return Config{}, fmt.Errorf("the description has %d bytes; at most %d are accepted", len(file), maxConfig)
	}
	var f configFile
	if err := json.Unmarshal(file, &f); err != nil {
		return Config{}, fmt.Errorf("the description is not the JSON of a Piper voice: %w", err)
	}
	c := Config{
		SampleRate: f.Audio.SampleRate, Phonemes: f.PhonemeType, ESpeak: f.ESpeak.Voice, Language: f.Language.Family,
		Symbols: f.Symbols, Speakers: max(f.Speakers, 1), Speaker: f.Speaker, IDs: f.IDs, Clusters: f.Clusters,
		Noise: orDefault(f.Inference.Noise, 0.667), Length: orDefault(f.Inference.Length, 1),
		NoiseW: orDefault(f.Inference.NoiseW, 0.8), License: cleanLine(f.License),
	}
	if c.Phonemes == "" {
		c.Phonemes = ESpeakPhonemes
	}
	if c.Language == "" {
		c.Language, _, _ = strings.Cut(c.ESpeak, "-")
	}
	return c, errors.Join(c.checkHead(), c.checkScales(), c.checkIDs())
}

func orDefault(given *float32, usual float32) float32 {
	if given == nil {
		return usual
	}
	return *given
}

func (c Config) checkHead() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.SampleRate < lowestRate || c.SampleRate > highestRate {
		fail("audio.sample_rate is %d; %d to %d Hz are accepted", c.SampleRate, lowestRate, highestRate)
	}
	if c.Phonemes != ESpeakPhonemes && c.Phonemes != TextPhonemes {
		fail("phoneme_type is %q; espeak and text are accepted", cleanLine(c.Phonemes))
	}
	if c.Phonemes == ESpeakPhonemes && !isESpeakVoice(c.ESpeak) {
		fail("espeak.voice is %q; want the name of a voice of espeak-ng, such as ar", cleanLine(c.ESpeak))
	}
	if !isESpeakVoice(c.Language) {
		fail("language.family is %q; want a language code, such as ar", cleanLine(c.Language))
	}
	if c.Symbols < 1 || c.Symbols > maxSymbols {
		fail("num_symbols is %d; 1 to %d are accepted", c.Symbols, maxSymbols)
	}
	if c.Speakers > maxSpeakers || c.Speaker < 0 || c.Speaker >= c.Speakers {
		fail("num_speakers is %d and default_speaker_id %d; want at most %d speakers, and one of them", c.Speakers,
			c.Speaker, maxSpeakers)
	}
	return errors.Join(errs...)
}

func (c Config) checkScales() error {
	for name, scale := range map[string]float32{"noise_scale": c.Noise, "noise_w": c.NoiseW} {
		if !(scale >= 0 && scale <= 2) {
			return fmt.Errorf("inference.%s is %g; 0 to 2 are accepted", name, scale)
		}
	}
	if !(c.Length >= 0.2 && c.Length <= 5) {
		return fmt.Errorf("inference.length_scale is %g; 0.2 to 5 are accepted", c.Length)
	}
	return nil
}

// checkIDs checks the ids of phonemes, and that those which every sentence has are there.
func (c Config) checkIDs() error {
	for _, mark := range []string{begins, ends, pad} {
		if len(c.IDs[mark]) == 0 {
			return fmt.Errorf("phoneme_id_map has no %q, which begins, ends or separates phonemes", mark)
		}
	}
	if len(c.IDs) > maxSymbols {
		return fmt.Errorf("phoneme_id_map has %d phonemes; at most %d are accepted", len(c.IDs), maxSymbols)
	}
	for phoneme, ids := range c.IDs {
		if phoneme == "" || !utf8.ValidString(phoneme) || len(phoneme) > 64 || len(ids) > 8 {
			return fmt.Errorf("phoneme_id_map: %q is no phoneme with 1 to 8 ids", cleanLine(phoneme))
		}
		for _, id := range ids {
			if id < 0 || id >= int64(c.Symbols) {
				return fmt.Errorf("phoneme_id_map: %q has the id %d; the network has 0 to %d (num_symbols)",
					cleanLine(phoneme), id, c.Symbols-1)
			}
		}
	}
	for _, cluster := range c.Clusters {
		if _, known := c.IDs[strings.Join(cluster, "")]; len(cluster) < 2 || !known {
			return fmt.Errorf("vowel_clusters: %q has fewer than two phonemes, or no id in phoneme_id_map", cluster)
		}
	}
	return nil
}

// isESpeakVoice reports whether a name can be a voice of espeak-ng: it is passed to the program.
func isESpeakVoice(name string) bool {
	if name == "" || len(name) > 40 || name[0] == '-' {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '+'
	}) < 0
}

// cleanLine returns an untrusted text as one short line.
func cleanLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > 120 {
		return string(runes[:120]) + "…"
	}
	return s
}

// isFinite reports whether a sample is a number within reason: a network of sound weights gives -1 to 1.
func isFinite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
