package heldout

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// ReadSentences returns every n-th recording of the man who reads whole sentences (ammi).
func ReadSentences(t testing.TB, folder string, n int) []Take {
	t.Helper()
	var out []Take
	for i, row := range readTable(t, filepath.Join(folder, "ammi/texts.tsv")) {
		if i%n == 0 {
			out = append(out, Take{"ammi", row[1], loadTake(t, filepath.Join(folder, "ammi", row[0]))})
		}
	}
	if len(out) == 0 {
		t.Skip("no sentences in", folder)
	}
	return out
}

const (
	levelFrame   = Rate / 50 // 20 ms
	shortestGap  = 10        // frames of a pause between words
	pauseBelow   = 0.05      // level of a pause, as a share of the loudest frame
	marginOfWord = 2         // frames that belong to the words around a pause
)

// FindPauses returns the pauses of 200 ms and more inside of recordings, as they sound.
func FindPauses(takes []Take) [][]float32 {
	var out [][]float32
	for _, tk := range takes {
		levels := frameLevels(tk.Samples)
		loudest := 0.0
		for _, v := range levels {
			loudest = max(loudest, v)
		}
		begun, spoken := 0, false
		for i, v := range levels {
			if v < pauseBelow*loudest {
				continue
			}
			if spoken && i-begun >= shortestGap {
				from, to := (begun+marginOfWord)*levelFrame, (i-marginOfWord)*levelFrame
				out = append(out, tk.Samples[from:to])
			}
			begun, spoken = i+1, true
		}
	}
	return out
}

func frameLevels(samples []float32) []float64 {
	out := make([]float64, len(samples)/levelFrame)
	for i := range out {
		out[i] = audio.MeasureRMS(samples[i*levelFrame : (i+1)*levelFrame])
	}
	return out
}

// NumberReadings returns count numbers, each read by one person in groups of digits: the digits follow each other after
// 60 ms, the groups after one of the pauses.
func NumberReadings(takes []Take, pauses [][]float32, groups []int, count int, chance *rand.Rand) []Take {
	people, names := groupBySpeaker(takes)
	var out []Take
	for i := range count {
		who := names[i%len(names)]
		var words []string
		var sound []float32
		for g, n := range groups {
			if g > 0 {
				sound = append(sound, pauses[chance.IntN(len(pauses))]...)
			}
			for range n {
				tk := people[who][chance.IntN(len(people[who]))]
				words = append(words, tk.Word)
				sound = append(append(sound, loudPart(tk.Samples)...), make([]float32, Rate*6/100)...)
			}
		}
		out = append(out, Take{who, strings.Join(words, " "), sound})
	}
	return out
}
