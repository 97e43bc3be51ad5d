package simulator_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/carrier"
	"munadi/appliance/carrier/simulator"
	"munadi/appliance/tts/voicepack"
	assetsmodel "munadi/assets/model"
	assetsort "munadi/assets/ort"
	assetsvad "munadi/assets/vad"
	"munadi/engine"
	"munadi/engine/arabic"
	"munadi/engine/audio"
	"munadi/engine/ort"
)

// openRecognizer opens the embedded model, or the one in the folder that MUNADI_MODEL names.
func openRecognizer(t *testing.T) *engine.Engine {
	t.Helper()
	zst, sum, version := assetsort.PackedLibrary()
	if len(zst) == 0 {
		t.Skip("no ONNX Runtime lies in assets/ort: make fetches it")
	}
	config := engine.Config{
		Library:  ort.PackedLibrary{Zstd: zst, SHA256: sum, Version: version},
		CacheDir: t.TempDir(), VAD: assetsvad.ModelBytes(),
	}
	if folder := os.Getenv("MUNADI_MODEL"); folder != "" {
		e, err := engine.OpenDir(folder, config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	e, err := engine.Open(assetsmodel.BundleFS(), config)
	if err != nil {
		t.Skipf("assets/model has no model that opens: %v", err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func recognizedText(t *testing.T, e *engine.Engine, pcm []int16) string {
	t.Helper()
	samples := make([]float32, len(pcm))
	for i, v := range pcm {
		samples[i] = float32(v) / 32768
	}
	up := audio.NewResampler(carrier.Rate, audio.Rate)
	res, err := e.Transcribe(t.Context(), engine.NewSampleReader(up.Flush(up.Push(nil, samples))), engine.TranscribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Text
}

// wanted is the largest word error rate that a prompt may have.
const wanted = 0.05

// hearingWay is a channel over which prompts reach the recognizer.
type hearingWay struct {
	name  string
	sound func(voicepack.VoiceClip) []int16
}

// hearingWays returns two channels: the bundled recording unchanged, and over an ordinary telephone line: band-limited,
// with some noise and packet loss.
func hearingWays(t *testing.T, b *voicepack.VoicePack) []hearingWay {
	t.Helper()
	s := simulatedNumber(t, simulator.SimulatorOptions{})
	pause := make([]int16, carrier.Rate/2)
	return []hearingWay{
		{"clean", func(c voicepack.VoiceClip) []int16 { return slices.Concat(pause, b.PCM(c), pause) }},
		{"line", func(c voicepack.VoiceClip) []int16 { return s.OverTheLine(simulator.Cooperative, c.Name, "") }},
	}
}

// promptTally counts the recognition errors of a set of prompts.
type promptTally struct {
	errs, words, letters, of int
	prompts, wrong           int
}

// countPrompt counts one prompt and returns a description of its errors; empty if there is none.
func (y *promptTally) countPrompt(said, got string) string {
	errs, words := arabic.WordErrors(said, got)
	letters, of := arabic.LetterErrors(said, got)
	y.errs, y.words, y.letters, y.of = y.errs+errs, y.words+words, y.letters+letters, y.of+of
	y.prompts++
	if float64(errs) <= wanted*float64(words) {
		return ""
	}
	y.wrong++
	switch {
	case got == "":
		return fmt.Sprintf("%d of %d words: nothing is heard", errs, words)
	case letters == 0:
		return fmt.Sprintf("%d of %d words: only the gaps between words are others: %q", errs, words, got)
	}
	return fmt.Sprintf("%d of %d words, %d of %d letters: %q", errs, words, letters, of, got)
}

func (y *promptTally) errorRate() float64 { return float64(y.errs) / float64(max(y.words, 1)) }

func (y *promptTally) String() string {
	return fmt.Sprintf("WER %.2f %% (%d of %d words), %.2f %% of letters; %d of %d prompts are beyond %.0f %%",
		100*y.errorRate(), y.errs, y.words, 100*float64(y.letters)/float64(max(y.of, 1)), y.wrong, y.prompts, 100*wanted)
}

// TestPromptsAreHeard checks that the recognizer understands every prompt of the built-in scenarios, unchanged and over
// a telephone line. Spelling does not count: package arabic folds marks, hamzas, ta marbuta and digits on both sides.
func TestPromptsAreHeard(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("decodes four minutes of speech")
	}
	e := openRecognizer(t)
	b := clipNames(t)
	for _, w := range hearingWays(t, b) {
		var all promptTally
		for _, c := range b.Clips() {
			if !c.IsOfGroup("appointment", "common", "restaurant") {
				continue
			}
			if fault := all.countPrompt(c.Plain, recognizedText(t, e, w.sound(c))); fault != "" {
				t.Logf("%s %-28s %q: %s", w.name, c.Name, c.Plain, fault)
			}
		}
		t.Logf("%s: %s", w.name, &all)
		if all.wrong > 0 {
			t.Errorf("%s: want every prompt at %.0f %% at most: %s", w.name, 100*wanted, &all)
		}
	}
}

// TestEveryClipOfTheOtherSide lists with MUNADI_LONG=1 how every clip of the callees is recognized, in every voice, on
// a good line and in noise.
func TestEveryClipOfTheOtherSide(t *testing.T) {
	if os.Getenv("MUNADI_LONG") != "1" {
		t.Skip("MUNADI_LONG=1 decodes ten minutes of speech")
	}
	e := openRecognizer(t)
	s := simulatedNumber(t, simulator.SimulatorOptions{})
	errs, words := map[string]int{}, map[string]int{}
	for _, c := range clipNames(t).Clips() {
		if !c.IsOfGroup("callee", "machine", "number") || c.Variant() != "" || len(c.Name) > len("number.12") && c.IsOfGroup("number") {
			continue
		}
		for _, variant := range []string{"", "high", "low"} {
			for _, who := range []simulator.Person{simulator.Cooperative, simulator.Noisy} {
				got := recognizedText(t, e, s.OverTheLine(who, c.Name, variant))
				n, of := arabic.WordErrors(c.Plain, got)
				errs[variant+" "+string(who)] += n
				words[variant+" "+string(who)] += of
				if n > 0 || parsedMeaning(c, got) != "" {
					t.Logf("%-24s %-5s%-12s %q as %q %s", c.Name, variant, who, c.Plain, got, parsedMeaning(c, got))
				}
			}
		}
	}
	for k, n := range words {
		t.Logf("%s: WER %.1f %%", k, 100*float64(errs[k])/float64(n))
	}
}

// TestAnswersAreUnderstood checks that callees' answers are understood: the yes and no that they fall back on in every
// voice, the rest nearly always. A new model may need another list of misheard clips.
func TestAnswersAreUnderstood(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("decodes two minutes of speech")
	}
	e := openRecognizer(t)
	s := simulatedNumber(t, simulator.SimulatorOptions{})
	b := clipNames(t)
	said, missed := 0, 0
	for kind, names := range simulator.SpokenClips() {
		for i, name := range names {
			c, ok := b.Clip(name)
			if !ok {
				t.Fatalf("no clip %s", name)
			}
			for _, variant := range []string{"", "high", "low"} {
				got := recognizedText(t, e, s.OverTheLine(simulator.Cooperative, name, variant))
				fault := isMisunderstood(kind, c, got)
				if simulator.IsMisheard(name, variant) {
					if fault == "" {
						t.Logf("%s %s is understood: it may leave the list of misheard clips", name, variant)
					}
					continue
				}
				said++
				if fault == "" {
					continue
				}
				missed++
				t.Logf("%s %s: %q is heard as %q: %s", name, variant, c.Plain, got, fault)
				if i == 0 && (kind == "yes" || kind == "no") {
					t.Errorf("the best %s of the %q voice is not understood", kind, variant)
				}
			}
		}
	}
	if missed > said/5 {
		t.Errorf("%d of %d answers are not understood: the list of misheard clips is of another model", missed, said)
	}
}

// parsedMeaning returns what package arabic makes of the transcript of a clip, for the clip's kind of question.
func parsedMeaning(c voicepack.VoiceClip, got string) string {
	for kind, names := range simulator.SpokenClips() {
		for _, name := range names {
			if name == c.Name {
				return isMisunderstood(kind, c, got)
			}
		}
	}
	return ""
}

func isMisunderstood(kind string, c voicepack.VoiceClip, got string) string {
	today := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	var ok bool
	switch kind {
	case "yes", "no":
		yes, known := arabic.YesNo(got)
		ok = known && yes == (kind == "yes")
	case "number":
		n, known := arabic.FindNumber(got)
		want, _ := arabic.FindNumber(c.Plain)
		ok = known && n == want
	case "date":
		_, m, d, known := arabic.FindDate(got, today)
		_, wantM, wantD, _ := arabic.FindDate(c.Plain, today)
		ok = known && m == wantM && d == wantD
	case "time":
		at, known := arabic.TimeOfDay(got)
		want, _ := arabic.TimeOfDay(c.Plain)
		ok = known && at == want
	case "dish":
		dish := strings.Fields(c.Folded)
		ok = strings.Contains(arabic.FoldSpelling(got), strings.TrimPrefix(c.Folded, dish[0]+" ")) ||
			strings.HasPrefix(c.Folded, "بيتزا") && strings.Contains(got, "بيتزا")
	default:
		errs, words := arabic.WordErrors(c.Plain, got)
		ok = errs == 0 || words > 3 && errs <= 2
	}
	if ok {
		return ""
	}
	return "no " + strings.ToUpper(kind)
}
