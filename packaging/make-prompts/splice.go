package main

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"

	"munadi/engine/audio"
)

//go:embed splices.tsv
var splicesText string

// splicedClip is a clip that is joined of parts of others.
type splicedClip struct {
	name, vocalized string
	parts           []string // CLIP as clipPath knows it: "CLIP", "CLIP@FROM-TO" or "+SILENCE", in milliseconds
}

// readSplices reads splices.tsv: name, text with vowel marks, parts separated by spaces.
func readSplices() []splicedClip {
	var out []splicedClip
	for line := range strings.Lines(splicesText) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) == 3 && !strings.HasPrefix(line, "#") {
			out = append(out, splicedClip{fields[0], fields[1], strings.Fields(fields[2])})
		}
	}
	return out
}

// joinParts returns the clip at 16 kHz.
func (s splicedClip) joinParts(from string) ([]float32, error) {
	var joined []float32
	for _, part := range s.parts {
		samples, err := partOf(from, part)
		if err != nil {
			return nil, fmt.Errorf("part %s: %w", part, err)
		}
		joined = append(joined, samples...)
	}
	return joined, nil
}

// partOf returns one part at 16 kHz, faded at both ends.
func partOf(from, part string) ([]float32, error) {
	var silence int
	if n, _ := fmt.Sscanf(part, "+%d", &silence); n == 1 {
		return make([]float32, samplesAt16k(silence)), nil
	}
	name, span, cut := strings.Cut(part, "@")
	samples, err := readClip(clipPath(from, name))
	if err != nil || !cut {
		return samples, err
	}
	var first, last int
	if _, err := fmt.Sscanf(span, "%d-%d", &first, &last); err != nil {
		return nil, err
	}
	if first < 0 || first >= last || samplesAt16k(last) > len(samples) {
		return nil, fmt.Errorf("%d to %d ms do not lie in the clip", first, last)
	}
	out := append([]float32(nil), samples[samplesAt16k(first):samplesAt16k(last)]...)
	fadeEdges(out)
	return out, nil
}

// clipPath is the file of a clip: one of the folder, or "ziad/NAME", a sentence of the same voice in the folder
// beside it.
func clipPath(from, name string) string {
	if strings.Contains(name, "/") {
		return filepath.Join(filepath.Dir(filepath.Clean(from)), filepath.FromSlash(name)+".opus")
	}
	return filepath.Join(from, name+".flac")
}

func samplesAt16k(milliseconds int) int { return milliseconds * audio.Rate / 1000 }

// fadeEdges fades the ends of a part, 10 ms each.
func fadeEdges(x []float32) {
	n := min(samplesAt16k(10), len(x)/2)
	for i := range n {
		gain := float32(i) / float32(n)
		x[i] *= gain
		x[len(x)-1-i] *= gain
	}
}
