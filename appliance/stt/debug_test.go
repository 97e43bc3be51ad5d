package stt_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/engine"
)

var update = flag.Bool("update", false, "rewrite the golden bodies")

// TestDebugBody compares everything that the debug decoder can report with testdata/debug.json.
func TestDebugBody(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	b.hears.debug = func(_ context.Context, _ engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error) {
		if diff := cmp.Diff(engine.DebugDefaults(), p); diff != "" {
			t.Errorf("a bare request is not the defaults: %s", diff)
		}
		return &engine.DebugResult{
			Mode: p.Mode, Text: "نعم", Duration: 1.23456, Warnings: []string{"careful"},
			Timings: engine.Timings{Encoder: 1500 * time.Microsecond, Total: time.Second},
			Segments: []engine.DebugSegment{{
				ID: 0, Start: 0.1, End: 0.30000000000000004, Text: "نعم",
				RNNT:    engine.HeadResult{Text: "نعم", Score: -1.5, Tokens: []string{"▁نعم"}, TokenIDs: []int{3}, Timestamps: []float64{0.24}},
				Hybrid:  engine.HybridPick{Text: "نعم", Score: -1.5, Picked: "rnnt"},
				NBest:   []engine.NBest{{Text: "نعم", Score: -1.5, RNNTScore: -1.5, CTCScore: math.Inf(-1), TokenIDs: []int{3}}},
				Spotted: []engine.SpottedPhrase{{Phrase: "نعم", Start: 0.2, End: 0.3, Score: 4}},
				Applied: true, SpottedText: "نعم",
			}, {ID: 1, CTC: engine.HeadResult{Score: math.NaN()}, Hybrid: engine.HybridPick{Picked: "ctc"}}},
		}, nil
	}
	w := b.postForm(t, "/debug/decode", formFields{"file": "sound"})
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	compareGolden(t, "testdata/debug.json", w.Body.Bytes())
	noUploads(t, b.deps.Spool)
}

func compareGolden(t *testing.T, path string, body []byte) {
	t.Helper()
	var indented bytes.Buffer
	mustSucceed(t, json.Indent(&indented, bytes.TrimSpace(body), "", "  "))
	got := indented.String()
	if *update {
		mustSucceed(t, os.WriteFile(path, []byte(got+"\n"), 0o600))
	}
	want, err := os.ReadFile(path)
	mustSucceed(t, err)
	if diff := cmp.Diff(strings.TrimSpace(string(want)), got); diff != "" {
		t.Errorf("-%s +got\n%s", path, diff)
	}
}

// TestDebugParameters: every parameter arrives at the engine and comes back in the body.
func TestDebugParameters(t *testing.T) {
	t.Parallel()
	given := map[string]any{
		"mode": "ctc", "strategy": "alsd", "temperature": 0.5, "max_symbols_per_step": 3.0, "beam_enabled": true, "beam_size": 8.0,
		"beam_length_penalty": -0.5, "beam_temperature": 1.5, "loop_labels": false, "use_cuda_graph_decoder": true,
		"acoustic_scale": 0.9, "ctc_weight": 0.3, "ctc_ws_enabled": true, "ctc_ws_context": "شاورما", "ctc_ws_apply": true,
		"ctc_ws_beam_threshold": 6.0, "ctc_ws_context_score": 2.0, "ctc_ws_ali_token_weight": 0.6,
		"ctc_ws_intersection_threshold": 40.0, "ctc_ws_keyword_threshold": -4.0, "ctc_ws_blank_threshold": 0.7,
		"ctc_ws_non_blank_threshold": 0.01, "max_chunk_seconds": 30.0, "vad_threshold": 0.6, "vad_min_speech_ms": 50.0,
		"vad_max_speech_s": 10.0, "vad_min_silence_ms": 150.0, "vad_pad_ms": 20.0,
	}
	f := formFields{"file": "sound"}
	for name, v := range given {
		f[name] = fmt.Sprint(v)
	}
	b := newSTTFixture(t)
	b.hears.debug = func(_ context.Context, _ engine.SampleSource, p engine.DebugParams) (*engine.DebugResult, error) {
		if *p.BeamSize != 8 || p.VADPadMS != 20 || *p.LoopLabels || p.Mode != engine.CTC || *p.Strategy != "alsd" {
			t.Errorf("got %+v", p)
		}
		return &engine.DebugResult{Mode: p.Mode}, nil
	}
	var body struct{ Parameters map[string]any }
	mustSucceed(t, json.Unmarshal(b.postForm(t, "/debug/decode", f).Body.Bytes(), &body))
	if diff := cmp.Diff(given, body.Parameters); diff != "" {
		t.Errorf("-given +echoed %s", diff)
	}
}

// TestDebugRanges walks just over the edge of every range.
func TestDebugRanges(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t)
	for field, beyond := range map[string][]string{
		"temperature": {"0", "10.1"}, "max_symbols_per_step": {"-1", "1001"}, "beam_size": {"0", "65"},
		"beam_length_penalty": {"-101", "101"}, "beam_temperature": {"0", "-1"}, "acoustic_scale": {"-0.1", "101"},
		"ctc_weight": {"-0.01", "1.01"}, "ctc_ws_beam_threshold": {"-1", "1001"}, "ctc_ws_blank_threshold": {"-1", "1.5"},
		"ctc_ws_non_blank_threshold": {"-1", "1.5"}, "ctc_ws_intersection_threshold": {"-1", "101"},
		"max_chunk_seconds": {"0", "61"}, "vad_threshold": {"-0.1", "1.1"}, "vad_min_speech_ms": {"-1"},
		"vad_max_speech_s": {"0"}, "vad_min_silence_ms": {"-1"}, "vad_pad_ms": {"-1"}, "mode": {"both"},
		"beam_enabled": {"2"}, "loop_labels": {"null"}, "ctc_ws_context_score": {"nan"},
	} {
		for _, v := range beyond {
			w := b.postForm(t, "/debug/decode", formFields{"file": "sound", field: v})
			if w.Code != 422 || !strings.Contains(w.Body.String(), `"loc":["body","`+field+`"]`) {
				t.Errorf("%s=%s: got %d %s", field, v, w.Code, w.Body)
			}
		}
	}
	w := b.postForm(t, "/debug/decode", formFields{"mode": "x", "beam_size": "x", "ctc_weight": "2"})
	if n := strings.Count(w.Body.String(), `"loc"`); n != 4 {
		t.Errorf("%d of 4 violations: %s", n, w.Body)
	}
}
