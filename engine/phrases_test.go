package engine

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"munadi/engine/arabic"
)

func transcribeClip(t *testing.T, path string, phrases ...string) string {
	t.Helper()
	return transcribeSamples(t, loadClip(t, path), phrases...)
}

// A phrase that is recognized anyway changes nothing; in particular it is not inserted next to the same words.
func TestPhrasesThatAreHeardChangeNothing(t *testing.T) {
	for path, phrases := range map[string][]string{
		"testdata/golden/g00.wav":                {"حجم كبير", "كبير", "حجم"},
		"../assets/web/samples/confirm.flac":     {"نعم", "أؤكد الموعد", "الموعد"},
		"../assets/web/samples/time.flac":        {"الساعة الخامسة", "الخامسة مساء", "مساء"},
		"../assets/web/samples/appointment.flac": {"الساعة الخامسة", "يوم الخميس"},
	} {
		plain := transcribeClip(t, path)
		for _, phrase := range phrases {
			if !strings.Contains(plain, phrase) {
				t.Errorf("%s: %q is not in %q: the test compares nothing", path, phrase, plain)
			}
			if got := transcribeClip(t, path, phrase); got != plain {
				t.Errorf("%s with %q: %q, want %q", path, phrase, got, plain)
			}
		}
		if got := transcribeClip(t, path, phrases...); got != plain {
			t.Errorf("%s with all: %q, want %q", path, got, plain)
		}
	}
}

// The confidence of a phrase's words is a probability.
func TestPhrasesHaveProbabilities(t *testing.T) {
	phrases := []string{"نعم", "أؤكد الموعد", "الموعد"}
	samples := loadClip(t, "../assets/web/samples/confirm.flac")
	res, err := openTest(t).Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{Phrases: phrases})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Segments {
		for _, w := range s.Words {
			if w.Confidence <= 0.2 || w.Confidence > 1 {
				t.Errorf("%s has a confidence of %g", w.Text, w.Confidence)
			}
		}
	}
}

// Phrases that were not spoken are not in the text.
func TestPhrasesThatAreNotSaidStayAway(t *testing.T) {
	menu := []string{"تبولة", "ماء", "فتوش", "شاورما دجاج", "عصير برتقال", "بطاطس", "كنافة", "حمص", "شوربة عدس", "سلطة"}
	for _, path := range []string{
		"testdata/golden/g00.wav", "testdata/golden/g16.wav", "../assets/web/samples/appointment.flac",
		"../assets/web/samples/confirm.flac", "../assets/web/samples/time.flac",
	} {
		if plain, got := transcribeClip(t, path), transcribeClip(t, path, menu...); got != plain {
			t.Errorf("%s: %q, want %q", path, got, plain)
		}
	}
}

// Biasing with two words of each of NeMo's test sentences reduces word errors.
func TestPhrasesHelp(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	files, dir := loadGolden(t)
	if len(files) < 40 {
		t.Skip("no ../shared/reference beside the project: too few sentences to see a difference")
	}
	without, with := 0, 0
	for _, f := range files {
		path := filepath.Join(dir, f.Wav)
		said := strings.Fields(f.Text)
		phrase := strings.Join(said[:min(len(said), 2)], " ")
		n, words := arabic.WordErrors(f.Text, transcribeClip(t, path))
		m, _ := arabic.WordErrors(f.Text, transcribeClip(t, path, phrase))
		if without, with = without+n, with+m; words == 0 {
			t.Errorf("%s: nothing was said", f.Wav)
		}
	}
	t.Logf("%d word errors without phrases, %d with two words of each sentence named", without, with)
	if with >= without {
		t.Errorf("%d errors with phrases, want fewer than %d", with, without)
	}
}

// A CTC beam's hypothesis may differ from the greedy path, often in noise: phrases are merged into the beam's
// hypothesis, and the rest is unchanged.
func TestPhrasesMergeIntoABeam(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	differ := 0
	for _, path := range []string{
		"testdata/golden/g00.wav", "testdata/golden/g16.wav", "testdata/golden/g28.wav",
		"../assets/web/samples/order.flac", "../assets/web/samples/appointment.flac",
	} {
		samples := loadClip(t, path)
		for i := range samples { // louder and louder
			samples[i] += 0.2 * float32(i) / float32(len(samples)) * float32(rng.NormFloat64())
		}
		p := DebugDefaults()
		p.Mode, p.BeamEnabled, p.CTCWSEnabled, p.CTCWSContext = CTC, true, true, pointerTo("عصير برتقال\nقهوة")
		p.VADThreshold = 0.3
		res, err := openTest(t).DebugDecode(t.Context(), &memoryClip{samples: samples}, p)
		if err != nil {
			t.Fatal(err)
		}
		p.BeamEnabled = false
		greedy, err := openTest(t).DebugDecode(t.Context(), &memoryClip{samples: samples}, p)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range res.Segments {
			if len(s.Spotted) == 0 && s.SpottedText != s.CTC.Text {
				t.Errorf("%s: nothing was spotted in %q, and %q came out", path, s.CTC.Text, s.SpottedText)
			}
			if s.CTC.Text != greedy.Segments[i].CTC.Text {
				differ++
			}
		}
	}
	t.Logf("%d segments differ", differ)
	if differ == 0 {
		t.Error("the beam hears nothing but the greedy path: the test compares nothing")
	}
}

// If phrases replaced words, tokens and probabilities are those of the displayed text.
func TestTokensBelongToTheTextThatIsShown(t *testing.T) {
	e := openTest(t)
	plain := transcribeClip(t, "testdata/golden/g00.wav")
	for _, phrase := range []string{"حجم كثير", "حجم كبير جدا"} {
		p := DebugDefaults()
		p.CTCWSEnabled, p.CTCWSApply, p.CTCWSContext = true, true, &phrase
		p.CTCWSContextScore, p.CTCWSKeywordThreshold, p.CTCWSBeamThreshold = 20, -1000, 100 // whatever was said
		plan, err := e.debugPlan(p.ResolveDefaults(), false)
		if err != nil {
			t.Fatal(err)
		}
		d, err := admitRequest(t, e).decodeChunk(t.Context(), speechChunk{samples: loadClip(t, "testdata/golden/g00.wav"), speech: 1}, plan)
		if err != nil {
			t.Fatal(err)
		}
		if d.segment.Text == plain || !strings.Contains(d.segment.Text, phrase) {
			t.Errorf("%q changed nothing in %q: the test compares nothing", phrase, plain)
		}
		checkTokens(t, e, d.segment)
	}
}

func checkTokens(t *testing.T, e *Engine, s Segment) {
	t.Helper()
	var text strings.Builder
	for _, id := range s.Tokens {
		text.WriteString(strings.ReplaceAll(e.model.Vocabulary[id], wordMark, " "))
	}
	count := 0
	for _, w := range s.Words {
		count += w.TokenCount
	}
	if got := strings.TrimSpace(text.String()); got != s.Text || count != len(s.Tokens) || s.AvgLogprob > 0 {
		t.Errorf("tokens say %q, of which words have %d of %d, beside the text %q", got, count, len(s.Tokens), s.Text)
	}
}
