// Package heldout reads recordings that are held out of training (engine/train), for long tests: the validation
// speakers of Arabic Speech Commands, and the blocks of digits that engine/train/recipe/real.py holds out. They are not
// in the repository: the environment variable MUNADI_SPEECH names their folder, and tests are skipped without it.
package heldout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"munadi/engine/audio"
)

// Rate of the recordings in Hz.
const Rate = audio.Rate

// DecodeAudio runs the decoder process of Ogg recordings in a test binary (see [audio.RunHelper]). TestMain calls it
// first, and returns if it returns true.
func DecodeAudio() bool {
	if len(os.Args) < 2 || os.Args[1] != "decode-audio" {
		return false
	}
	if err := audio.RunHelper(os.Args[2:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // a test binary run again as a decoder process
	}
	return true
}

// OpenRecordings returns the folder of the recordings; without them the test is skipped.
func OpenRecordings(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("MUNADI_SPEECH")
	if folder == "" {
		t.Skip("MUNADI_SPEECH is not set: set it to the folder of held-out recordings (asc, digits)")
	}
	return folder
}

// Take is one recorded word, or a string of words.
type Take struct {
	Who     string // speaker/class/number, or the block
	Word    string
	Samples []float32
}

// WordTakes returns the validation speakers' takes of the given classes, of all classes if none is given.
func WordTakes(t testing.TB, folder string, classes ...string) []Take {
	t.Helper()
	words := readTable(t, filepath.Join(folder, "asc/words.tsv"))
	speakers, err := filepath.Glob(filepath.Join(folder, "asc/val/*"))
	if err != nil || len(speakers) == 0 {
		t.Skip("no validation speakers in", folder)
	}
	var out []Take
	for _, speaker := range speakers {
		for _, row := range words {
			if len(classes) > 0 && !slices.Contains(classes, row[0]) {
				continue
			}
			sound := loadTake(t, filepath.Join(speaker, row[0]+".opus"))
			for k := range len(sound) / Rate {
				who := fmt.Sprintf("%s/%s/%d", filepath.Base(speaker), row[0], k+1)
				out = append(out, Take{who, row[1], sound[k*Rate : (k+1)*Rate]})
			}
		}
	}
	return out
}

// DigitClips returns the clips of the blocks that engine/train/recipe/real.py holds out.
func DigitClips(t testing.TB, folder string) []Take {
	t.Helper()
	var out []Take
	for _, row := range readTable(t, filepath.Join(folder, "digits/texts.tsv")) {
		_, number, _ := strings.Cut(strings.TrimSuffix(row[0], ".opus"), "_")
		_, number, _ = strings.Cut(number, "_")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(row[0], err)
		}
		if block := n / 10; block == 2 || block == 6 {
			out = append(out, Take{fmt.Sprint(block), row[1], loadTake(t, filepath.Join(folder, "digits", row[0]))})
		}
	}
	return out
}

func readTable(t testing.TB, path string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skip(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(data)) {
		if row := strings.Split(strings.TrimSpace(line), "\t"); len(row) == 2 {
			rows = append(rows, row)
		}
	}
	return rows
}

// DigitStrings returns count strings of n digits, each of one block or speaker, with pauses of 100 to 400 ms.
func DigitStrings(takes []Take, n, count int) []Take {
	r := rand.New(rand.NewPCG(1, 2))
	groups, names := groupBySpeaker(takes)
	var out []Take
	for i := range count {
		who := names[i%len(names)]
		var words []string
		var sound []float32
		for range n {
			tk := groups[who][r.IntN(len(groups[who]))]
			words = append(words, tk.Word)
			sound = append(append(sound, loudPart(tk.Samples)...), make([]float32, Rate/10+r.IntN(Rate*3/10))...)
		}
		out = append(out, Take{who, strings.Join(words, " "), sound})
	}
	return out
}

// groupBySpeaker returns the digits of each block or speaker, and their names.
func groupBySpeaker(takes []Take) (groups map[string][]Take, names []string) {
	groups = map[string][]Take{}
	for _, tk := range takes {
		who, _, _ := strings.Cut(tk.Who, "/")
		if tk.Word == "عشرة" {
			continue
		}
		if groups[who] == nil {
			names = append(names, who)
		}
		groups[who] = append(groups[who], tk)
	}
	return groups, names
}

// loudPart trims the silence around a word, and scales its peak to 0.3.
func loudPart(x []float32) []float32 {
	peak := float32(0)
	for _, v := range x {
		peak = max(peak, v, -v)
	}
	first, last := 0, len(x)
	for first < last && max(x[first], -x[first]) < peak*.03 {
		first++
	}
	for last > first && max(x[last-1], -x[last-1]) < peak*.03 {
		last--
	}
	first, last = max(0, first-Rate/20), min(len(x), last+Rate/20)
	out := make([]float32, last-first)
	for i, v := range x[first:last] {
		out[i] = v * .3 / max(peak, 1e-6)
	}
	return out
}

// OverTelephone returns a recording with white noise snr dB below its speech, over an 8 kHz line with G.711 A-law.
func OverTelephone(x []float32, snr float64, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 3))
	peak := float32(0)
	for _, v := range x {
		peak = max(peak, v, -v)
	}
	noise := audio.MeasureRMS(loudPart(x)) * math.Pow(10, -snr/20)
	noisy := make([]float32, len(x))
	for i, v := range x {
		noisy[i] = v*.3/max(peak, 1e-6) + float32(noise*r.NormFloat64())
	}
	return resampleTo(alawSamples(resampleTo(noisy, Rate, 8000)), 8000, Rate)
}

func alawSamples(x []float32) []float32 {
	for i, v := range x {
		x[i] = float32(audio.DecodeALaw(audio.EncodeALaw(int16(max(-1, min(1, v))*32767)))) / 32768
	}
	return x
}

func resampleTo(x []float32, from, to int) []float32 {
	r := audio.NewResampler(from, to)
	return r.Flush(r.Push(nil, x))
}

// Lines are the simulated transmission channels.
var Lines = []struct {
	Name   string
	Change func(x []float32, seed uint64) []float32
}{
	{"clean", func(x []float32, _ uint64) []float32 { return x }},
	{"G.711 at 15 dB", func(x []float32, seed uint64) []float32 { return OverTelephone(x, 15, seed) }},
	{"G.711 at 10 dB", func(x []float32, seed uint64) []float32 { return OverTelephone(x, 10, seed) }},
}

func loadTake(t testing.TB, path string) []float32 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	samples, err := audio.DecodeAll(t.Context(), f, audio.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return samples
}
