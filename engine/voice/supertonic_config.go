package voice

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"munadi/engine/ort"
)

// Files of a voice in Supertonic's layout, in one folder, beside its four networks.
const (
	ShapeFile      = "tts.json"
	CharactersFile = "unicode_indexer.json"
	StyleFile      = "style.json" // of the one voice that speaks
)

// CharacterVoiceFiles are the files of a voice in Supertonic's layout, without its style.
func CharacterVoiceFiles() []string {
	return []string{
		ShapeFile, CharactersFile, durationPredictor.file, textEncoder.file, vectorEstimator.file, vocoder.file,
	}
}

// Limits of these files.
const (
	maxCharacters  = 8 << 20 // bytes
	maxStyle       = 16 << 20
	maxStyleNumber = 1 << 20
	usualLength    = 1 / 1.05 // of a sentence's predicted length, as of Supertonic's own runtime
)

// latentShape is the shape of the latents of a voice.
type latentShape struct {
	rate     int // Hz
	chunk    int // samples of one step
	channels int
}

// stepsFor returns how many steps hold that many samples.
func (s latentShape) stepsFor(samples int) int { return (samples + s.chunk - 1) / s.chunk }

// isCharacterVoice reports whether a folder has a voice in Supertonic's layout.
func isCharacterVoice(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ShapeFile))
	return err == nil
}

// describeCharacterVoice reads the description of a voice in Supertonic's layout.
func describeCharacterVoice(dir string) (Config, error) {
	c := Config{Phonemes: TextPhonemes, Language: "ar", Speakers: 1, Noise: 1, Length: usualLength}
	shape, err := readRegular(filepath.Join(dir, ShapeFile), maxConfig)
	if err != nil {
		return c, err
	}
	if c.latent, err = parseShape(shape); err != nil {
		return c, fmt.Errorf("%s: %w", ShapeFile, err)
	}
	c.SampleRate = c.latent.rate
	list, err := readRegular(filepath.Join(dir, CharactersFile), maxCharacters)
	if err != nil {
		return c, err
	}
	if c.Characters, err = parseCharacters(list); err != nil {
		return c, fmt.Errorf("%s: %w", CharactersFile, err)
	}
	for _, r := range "</>ار" {
		if c.characterID(r) < 0 {
			return c, fmt.Errorf("%s has no id for %q: the voice does not speak Arabic; Supertonic 3 does", CharactersFile, r)
		}
	}
	return c, nil
}

// parseShape reads tts.json.
func parseShape(file []byte) (latentShape, error) {
	var f struct {
		Sound struct {
			SampleRate int `json:"sample_rate"`
			Chunk      int `json:"base_chunk_size"`
		} `json:"ae"`
		Latent struct {
			Chunks int `json:"chunk_compress_factor"`
			Size   int `json:"latent_dim"`
		} `json:"ttl"`
	}
	if err := json.Unmarshal(file, &f); err != nil {
		return latentShape{}, fmt.Errorf("not the JSON of a Supertonic voice: %w", err)
	}
	var errs []error
	check := func(name string, got, least, most int) {
		if got < least || got > most {
			errs = append(errs, fmt.Errorf("%s is %d; %d to %d are accepted", name, got, least, most))
		}
	}
	check("ae.sample_rate", f.Sound.SampleRate, lowestRate, highestRate)
	check("ae.base_chunk_size", f.Sound.Chunk, 16, 1<<14)
	check("ttl.chunk_compress_factor", f.Latent.Chunks, 1, 64)
	check("ttl.latent_dim", f.Latent.Size, 1, 1024)
	return latentShape{
		rate: f.Sound.SampleRate, chunk: f.Sound.Chunk * f.Latent.Chunks, channels: f.Latent.Size * f.Latent.Chunks,
	}, errors.Join(errs...)
}

// parseCharacters reads unicode_indexer.json: the id of each code point, -1 for none.
func parseCharacters(file []byte) (ids []int32, err error) {
	if err := json.Unmarshal(file, &ids); err != nil {
		return nil, fmt.Errorf("not a list of ids by code point: %w", err)
	}
	for r, id := range ids {
		if id < -1 || id >= 1<<20 {
			return nil, fmt.Errorf("the character %d has the id %d; -1 to %d are accepted", r, id, 1<<20-1)
		}
	}
	return ids, nil
}

// voiceStyle is the voice of one speaker.
type voiceStyle struct{ text, duration ort.DenseTensor }

// readStyle reads the style of a speaker.
func readStyle(path string) (s voiceStyle, err error) {
	file, err := readRegular(path, maxStyle)
	if err != nil {
		return s, err
	}
	if s, err = parseStyle(file); err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return s, err
}

func parseStyle(file []byte) (s voiceStyle, err error) {
	var f struct {
		Text     styleTensor `json:"style_ttl"`
		Duration styleTensor `json:"style_dp"`
	}
	if err := json.Unmarshal(file, &f); err != nil {
		return s, fmt.Errorf("not the JSON of a voice's style: %w", err)
	}
	var errs [2]error
	s.text, errs[0] = f.Text.read("style_ttl")
	s.duration, errs[1] = f.Duration.read("style_dp")
	return s, errors.Join(errs[:]...)
}

// styleTensor is an array in JSON, nested or flat.
type styleTensor struct {
	Dims []int64         `json:"dims"`
	Data json.RawMessage `json:"data"`
}

func (t styleTensor) read(name string) (ort.DenseTensor, error) {
	count := int64(1)
	for _, d := range t.Dims {
		if d < 1 || d > maxStyleNumber || count > maxStyleNumber/d {
			return ort.DenseTensor{}, fmt.Errorf("%s.dims is %v; want sizes of at most %d numbers", name, t.Dims, maxStyleNumber)
		}
		count *= d
	}
	numbers, err := flattenNumbers(nil, t.Data, len(t.Dims))
	if err != nil {
		return ort.DenseTensor{}, fmt.Errorf("%s.data: %w", name, err)
	}
	if len(t.Dims) != 3 || t.Dims[0] != 1 || int64(len(numbers)) != count {
		return ort.DenseTensor{}, fmt.Errorf("%s has %d numbers and the sizes %v; want [1, N, D]", name, len(numbers), t.Dims)
	}
	return ort.DenseTensor{Shape: t.Dims, F32: numbers}, nil
}

// flattenNumbers appends the numbers of JSON arrays, which are nested at most depth times.
func flattenNumbers(to []float32, data json.RawMessage, depth int) ([]float32, error) {
	var numbers []float32
	if err := json.Unmarshal(data, &numbers); err == nil {
		return append(to, numbers...), nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil || depth < 2 {
		return nil, errors.New("want numbers in arrays, one for each size")
	}
	for _, part := range list {
		var err error
		if to, err = flattenNumbers(to, part, depth-1); err != nil {
			return nil, err
		}
	}
	return to, nil
}
