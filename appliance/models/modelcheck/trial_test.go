package modelcheck

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"munadi/assets/web"
	"munadi/engine"
)

// fakeEngine is an engine with scripted results.
type fakeEngine struct {
	hear    func(said string) string // of each head; said is empty for silence
	rnnt    func(said string) string // of the RNNT head alone; nil: hear
	logprob float64
	fails   error
	closed  bool

	said map[int]string // by the clips' lengths
}

func newListeningEngine(t *testing.T, f *fakeEngine) *fakeEngine {
	t.Helper()
	clips, err := loadClips(t.Context(), web.WebFiles())
	if err != nil {
		t.Fatal(err)
	}
	f.said = map[int]string{}
	for _, c := range clips {
		f.said[len(c.samples)] = c.said
	}
	if len(f.said) != len(clips) {
		t.Fatal("clips of one length")
	}
	return f
}

// heardText reads the source and returns the text that is spoken in it.
func (f *fakeEngine) heardText(src engine.SampleSource) string {
	p, n := make([]float32, 4096), 0
	for {
		k, err := src.Read(p)
		n += k
		if err != nil {
			return f.said[n]
		}
	}
}

func (f *fakeEngine) Transcribe(_ context.Context, src engine.SampleSource, _ engine.TranscribeOptions) (*engine.Result, error) {
	text := f.hear(f.heardText(src))
	return &engine.Result{Text: text, Segments: []engine.Segment{{Text: text, AvgLogprob: f.logprob}}}, f.fails
}

func (f *fakeEngine) DebugDecode(_ context.Context, src engine.SampleSource, _ engine.DebugParams) (*engine.DebugResult, error) {
	said := f.heardText(src)
	s := engine.DebugSegment{CTC: engine.HeadResult{Text: f.hear(said)}, RNNT: engine.HeadResult{Text: f.hear(said)}}
	if f.rnnt != nil {
		s.RNNT.Text = f.rnnt(said)
	}
	return &engine.DebugResult{Segments: []engine.DebugSegment{s}}, f.fails
}

func (f *fakeEngine) ModelInfo() engine.EngineInfo {
	return engine.EngineInfo{Heads: []string{"rnnt", "ctc"}, Threads: 3}
}

func (f *fakeEngine) Close() error {
	f.closed = true
	return nil
}

func runCheck(t *testing.T, f *fakeEngine) (*TrialReport, error) {
	t.Helper()
	newListeningEngine(t, f)
	return RunTrial(t.Context(), func() (TrialEngine, error) { return f, nil }, web.WebFiles())
}

func sameText(said string) string { return said }

func alwaysHears(text string) func(string) string { return func(string) string { return text } }

// everyOther returns every other word.
func everyOther(said string) string {
	words := strings.Fields(said)
	for i := range words {
		if i%2 == 1 {
			words[i] = "كلمة"
		}
	}
	return strings.Join(words, " ")
}

func TestWhatIsFound(t *testing.T) {
	t.Parallel()
	invent := func(said string) string {
		if said == "" {
			return "نعم"
		}
		return said
	}
	for name, c := range map[string]struct {
		engine  *fakeEngine
		fault   string // a part of it; empty: none
		warning string
	}{
		"good":            {&fakeEngine{hear: sameText}, "", ""},
		"nothing":         {&fakeEngine{hear: alwaysHears("")}, "recognizes nothing", ""},
		"English":         {&fakeEngine{hear: alwaysHears("yes I do")}, "no Arabic", ""},
		"other words":     {&fakeEngine{hear: alwaysHears("حجم فيد")}, "other words than were said", ""},
		"not a number":    {&fakeEngine{hear: sameText, logprob: math.NaN()}, "NaN", ""},
		"far off":         {&fakeEngine{hear: everyOther}, "", "of the words are wrong"},
		"another's head":  {&fakeEngine{hear: sameText, rnnt: alwaysHears("حجم")}, "", "the rnnt head is far worse"},
		"invents":         {&fakeEngine{hear: invent}, "", "in audio without speech"},
		"other spellings": {&fakeEngine{hear: func(s string) string { return strings.ReplaceAll(s, "أ", "ا") }}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := runCheck(t, c.engine)
			if err != nil {
				t.Fatal(err)
			}
			fault := errors.Join(r.DecodingFault(), r.NoArabic())
			if (fault != nil) != (c.fault != "") || fault != nil && !strings.Contains(fault.Error(), c.fault) {
				t.Errorf("fault: %v, want %q", fault, c.fault)
			}
			warnings := strings.Join(r.QualityWarnings(), "\n")
			if c.fault == "" && ((warnings != "") != (c.warning != "") || !strings.Contains(warnings, c.warning)) {
				t.Errorf("warnings: %q, want %q", warnings, c.warning)
			}
			if !c.engine.closed {
				t.Error("the engine is left open")
			}
		})
	}
}

func TestAnEngineThatFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	if _, err := runCheck(t, &fakeEngine{hear: sameText, fails: broken}); !errors.Is(err, broken) {
		t.Errorf("error = %v", err)
	}
	if _, err := RunTrial(t.Context(), func() (TrialEngine, error) { return nil, broken }, web.WebFiles()); !errors.Is(err, broken) {
		t.Errorf("error = %v", err)
	}
}

func TestAReportIsKept(t *testing.T) {
	t.Parallel()
	r, err := runCheck(t, &fakeEngine{hear: everyOther})
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.MarshalReport()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseReport(b)
	if err != nil {
		t.Fatal(err)
	}
	var first, second strings.Builder
	if err := errors.Join(r.Write(&first), again.Write(&second)); err != nil {
		t.Fatal(err)
	}
	if first.String() != second.String() {
		t.Errorf("kept as\n%s\nread back as\n%s", &first, &second)
	}
	for _, part := range []string{
		"speed", "production", "rnnt", "ctc", "3 threads", "real-time factor", "warning: ", "كلمة",
	} {
		if !strings.Contains(first.String(), part) {
			t.Errorf("%q is not in\n%s", part, &first)
		}
	}
	for _, bad := range []string{"", "{}", "[]", `{"scores":3}`} {
		if _, err := ParseReport([]byte(bad)); err == nil {
			t.Errorf("%q is a report", bad)
		}
	}
}

func TestSlowness(t *testing.T) {
	t.Parallel()
	r := TrialReport{Speech: 10, Took: 9, Scores: []ErrorScore{{Words: 3}}}
	if w := strings.Join(r.QualityWarnings(), ""); !strings.Contains(w, "too slow") {
		t.Errorf("warnings = %q", w)
	}
}

func TestComparisonNamesWhatChanges(t *testing.T) {
	t.Parallel()
	full, err := runCheck(t, &fakeEngine{hear: sameText})
	if err != nil {
		t.Fatal(err)
	}
	same, err := runCheck(t, &fakeEngine{hear: sameText})
	if err != nil {
		t.Fatal(err)
	}
	other, err := runCheck(t, &fakeEngine{hear: everyOther})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		small *TrialReport
		want  []string
	}{
		"equal":   {same, []string{"original", "The texts of all clips are the same"}},
		"changed": {other, []string{"8 bits:   نعم كلمة", "original: نعم أؤكد", "words wrong"}},
	} {
		var out strings.Builder
		c.small.SetOriginal(full)
		if err := c.small.Write(&out); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is not in\n%s", name, want, &out)
			}
		}
	}
}
