package engine

import (
	"slices"
	"strings"
	"testing"
)

// asProduction returns the debug decoder's parameters that equal production decoding.
func asProduction(e *Engine) DebugParams {
	p, d := DebugDefaults(), e.model.Decoding
	p.Strategy, p.BeamSize, p.MaxSymbolsPerStep = &d.Strategy, &d.BeamSize, &d.MaxSymbols
	p.CTCWeight, p.VADPadMS = d.CTCWeight, productionPad
	return p
}

func TestDebugReproducesProduction(t *testing.T) {
	e := openTest(t)
	for name, samples := range map[string][]float32{
		"one sentence": loadClip(t, "testdata/golden/g28.wav"), "several": conversationClip(t, 4),
	} {
		want, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.DebugDecode(t.Context(), &memoryClip{samples: samples}, asProduction(e))
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != want.Text || len(got.Segments) != len(want.Segments) {
			t.Errorf("%s: %q in %d segments, production has %q in %d",
				name, got.Text, len(got.Segments), want.Text, len(want.Segments))
		}
		for i := range min(len(got.Segments), len(want.Segments)) {
			if ids := got.Segments[i].NBest[0].TokenIDs; !slices.Equal(ids, want.Segments[i].Tokens) {
				t.Errorf("%s: segment %d has tokens %v, production %v", name, i, ids, want.Segments[i].Tokens)
			}
		}
	}
}

// The n-best list begins with the mode's text, and no text occurs twice, for every search.
func TestNBestBeginsWithTheAnswer(t *testing.T) {
	e := openTest(t)
	for _, search := range []searchStrategy{greedyBatch, beamSearch, maes, alsd, tsd, malsdBatch} {
		for _, mode := range []DecodeMode{Hybrid, RNNT, CTC} {
			p, name := DebugDefaults(), string(search)
			p.Mode, p.Strategy, p.CTCWeight, p.BeamEnabled = mode, &name, 0.6, search != greedyBatch
			res, err := e.DebugDecode(t.Context(), &memoryClip{samples: loadClip(t, "testdata/golden/g28.wav")}, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range res.Segments {
				checkNBest(t, name+" "+string(mode), s)
			}
		}
	}
}

func checkNBest(t *testing.T, what string, s DebugSegment) {
	t.Helper()
	seen := map[string]bool{}
	for _, n := range s.NBest {
		if seen[n.Text] {
			t.Errorf("%s: the note %q is repeated", what, n.Text)
		}
		seen[n.Text] = true
	}
	if len(s.NBest) == 0 || s.NBest[0].Text != s.Text {
		t.Errorf("%s: n best %+v, want %q first", what, s.NBest, s.Text)
	}
}

func TestUnwritablePhrasesAreNamed(t *testing.T) {
	e := openTest(t)
	p, phrases := DebugDefaults(), "نعم, pizza, مرحبا_hello_مرحبا"
	p.CTCWSEnabled, p.CTCWSContext = true, &phrases
	warnings := strings.Join(e.debugWarnings(p.ResolveDefaults()), "\n")
	if !strings.Contains(warnings, "pizza, hello") || strings.Contains(warnings, "نعم") {
		t.Errorf("warnings = %q, want those that can't be written named, and no others", warnings)
	}
}

// A search with the largest accepted parameters ends soon, with a warning.
func TestExtremeBeamReachesWorkLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("a search of seconds")
	}
	e := openTest(t)
	strategy, size, temperature := string(maes), 64, 10.0
	p := DebugDefaults()
	p.BeamEnabled, p.BeamSize, p.BeamTemperature, p.CTCWeight = true, &size, &temperature, 1
	p.Strategy = &strategy
	res, err := e.DebugDecode(t.Context(), &memoryClip{samples: loadClip(t, "testdata/golden/g16.wav")}, p)
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(res.Warnings, "\n"); !strings.Contains(w, "reached its work limit") {
		t.Errorf("warnings = %q, want one that the search reached its work limit", w)
	}
	t.Logf("%d hypotheses in %v: %v", len(res.Segments[0].NBest), res.Timings.Total, res.Warnings)
}
