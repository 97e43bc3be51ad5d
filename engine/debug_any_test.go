package engine

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shortClips are short clips of each kind that a client may send.
func shortClips(t *testing.T) map[string][]float32 {
	t.Helper()
	dice := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // noise
	noise := make([]float32, 2*sampleRate)
	for i := range noise {
		noise[i] = dice.Float32()*2 - 1
	}
	square := make([]float32, sampleRate)
	for i := range square {
		square[i] = float32(i/40%2*2 - 1)
	}
	return map[string][]float32{
		"one sample": {0.5}, "a window less one": make([]float32, window-1), "two frames": noise[:400],
		"silence": make([]float32, 3*sampleRate/2), "noise": noise, "square": square,
		"a word": loadClip(t, "../assets/web/samples/confirm.flac"), "a sentence": loadClip(t, "testdata/golden/g00.wav"),
		"another": loadClip(t, "testdata/golden/g16.wav"), "cut": loadClip(t, "testdata/golden/g28.wav")[:11111],
		"twice": slices.Concat(loadClip(t, "testdata/golden/g00.wav"), loadClip(t, "testdata/golden/g00.wav")),
	}
}

// anyOf draws a value from the published range, including its ends and the default.
func anyOf(t *rapid.T, name string, low, usual, high float64) float64 {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{low, usual, high}), rapid.Float64Range(low, high),
	).Draw(t, name)
}

func anyInt(t *rapid.T, name string, low, usual, high int) int {
	return rapid.OneOf(rapid.SampledFrom([]int{low, usual, high}), rapid.IntRange(low, high)).Draw(t, name)
}

// anyContext draws phrases that are spoken in the clips, and others, in every form of the field.
func anyContext(t *rapid.T) string {
	pieces := []string{
		"حجم كبير", "كبير", "نعم", "أؤكد الموعد", "عصير برتقال", "ا", "ل", "كبير_كبير_حجم كبير", "_", "__كبير", "كبير_",
		"x", "🍔", "", " ", "ـ", "١٢", "حجم كبير حجم كبير حجم كبير حجم كبير حجم كبير", "نعم\u0000", "\ufeff",
	}
	list := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 6).Draw(t, "context")
	return strings.Join(list, rapid.SampledFrom([]string{"\n", ",", "،", "\r\n", ", "}).Draw(t, "separator"))
}

// anyStrategy draws a search, or none.
func anyStrategy(t *rapid.T) *string {
	name := rapid.SampledFrom([]searchStrategy{"", greedyBatch, beamSearch, maes, alsd, tsd, malsdBatch}).Draw(t, "strategy")
	if name == "" {
		return nil
	}
	return pointerTo(string(name))
}

// anyParams draws from the ranges that the form publishes.
func anyParams(t *rapid.T) DebugParams {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	size := rapid.SampledFrom([]int{1, 2, 4, 7}).Draw(t, "beam_size") // more is slow, and no different
	return DebugParams{
		Mode:              rapid.SampledFrom([]DecodeMode{Hybrid, RNNT, CTC}).Draw(t, "mode"),
		Temperature:       pointerTo(anyOf(t, "temperature", 0.01, 1, 10)),
		MaxSymbolsPerStep: pointerTo(anyInt(t, "max_symbols_per_step", 0, 10, 30)),
		BeamEnabled:       flag("beam_enabled"), BeamSize: &size, Strategy: anyStrategy(t),
		BeamLengthPenalty: pointerTo(anyOf(t, "beam_length_penalty", -100, 0, 100)),
		BeamTemperature:   pointerTo(anyOf(t, "beam_temperature", 0.01, 1, 10)),
		LoopLabels:        pointerTo(flag("loop_labels")), UseCUDAGraphDecoder: pointerTo(flag("use_cuda_graph_decoder")),
		AcousticScale: pointerTo(anyOf(t, "acoustic_scale", 0, 1, 100)), CTCWeight: anyOf(t, "ctc_weight", 0, 0.3, 1),
		CTCWSEnabled: flag("ctc_ws_enabled"), CTCWSContext: pointerTo(anyContext(t)), CTCWSApply: flag("ctc_ws_apply"),
		CTCWSBeamThreshold:         anyOf(t, "ctc_ws_beam_threshold", 0, 7, 1000),
		CTCWSContextScore:          anyOf(t, "ctc_ws_context_score", -100, 3, 100),
		CTCWSAliTokenWeight:        anyOf(t, "ctc_ws_ali_token_weight", -100, 0.5, 100),
		CTCWSIntersectionThreshold: anyOf(t, "ctc_ws_intersection_threshold", 0, 30, 100),
		CTCWSKeywordThreshold:      anyOf(t, "ctc_ws_keyword_threshold", -1000, -5, 1000),
		CTCWSBlankThreshold:        anyOf(t, "ctc_ws_blank_threshold", 0, 0.8, 1),
		CTCWSNonBlankThreshold:     anyOf(t, "ctc_ws_non_blank_threshold", 0, 0.001, 1),
		MaxChunkSeconds:            anyInt(t, "max_chunk_seconds", 1, 15, 60),
		VADThreshold:               anyOf(t, "vad_threshold", 0, 0.4, 1),
		VADMinSpeechMS:             rapid.SampledFrom([]int{0, 1, 100, 1000, 60000}).Draw(t, "vad_min_speech_ms"),
		VADMaxSpeechS:              rapid.SampledFrom([]int{1, 2, 20, 3600}).Draw(t, "vad_max_speech_s"),
		VADMinSilenceMS:            rapid.SampledFrom([]int{0, 1, 200, 1000, 60000}).Draw(t, "vad_min_silence_ms"),
		VADPadMS:                   rapid.SampledFrom([]int{0, 1, 30, 500, 10000}).Draw(t, "vad_pad_ms"),
	}
}

// Results are consistent for any parameters and audio.
func TestDebugAgreesWithItself(t *testing.T) { agreesWithItself(t, openTest(t)) }

// The same for models with one head.
func TestDebugOfOneHeadAgreesWithItself(t *testing.T) {
	for name, e := range oneHead(t) {
		t.Run(name, func(t *testing.T) { agreesWithItself(t, e) })
	}
}

// oneHead opens the default model without its CTC head, and the reference model's CTC half if it is there.
func oneHead(t *testing.T) map[string]*Engine {
	t.Helper()
	open := func(from string, files ...string) *Engine {
		dir := t.TempDir()
		for _, f := range files {
			path, err := filepath.Abs(filepath.Join(from, f))
			if err == nil {
				err = os.Symlink(path, filepath.Join(dir, f))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		e, err := OpenDir(dir, testConfig(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	all := map[string]*Engine{
		"rnnt": open(bundle, "config.json", "decoder_joint-model.onnx", "encoder-model.onnx", "tokenizer.model", "vocab.txt"),
	}
	if _, err := os.Stat(filepath.Join(reference, "model/model.onnx")); err == nil {
		all["ctc"] = open(filepath.Join(reference, "model"), "model.onnx", "tokenizer.model", "vocab.txt")
	}
	for head, e := range all {
		if heads := e.ModelInfo().Heads; len(heads) != 1 || heads[0] != head {
			t.Fatalf("the model with the head %s has %v", head, heads)
		}
	}
	return all
}

// A model without the head that a mode names decodes with the other.
func TestModeOfAMissingHead(t *testing.T) {
	samples := loadClip(t, "testdata/golden/g00.wav")
	for head, e := range oneHead(t) {
		want := ""
		for _, mode := range []DecodeMode{"", Hybrid, RNNT, CTC} {
			res, err := e.Transcribe(t.Context(), &memoryClip{samples: samples}, TranscribeOptions{Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			if want = cmp.Or(want, res.Text); res.Text == "" || res.Text != want {
				t.Errorf("%s alone, mode %q: %q, want %q", head, mode, res.Text, want)
			}
		}
	}
}

func agreesWithItself(t *testing.T, e *Engine) {
	t.Helper()
	clips := shortClips(t)
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range clips {
			if !yield(name) {
				return
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		p := anyParams(t)
		samples := clips[rapid.SampledFrom(names).Draw(t, "clip")]
		res, err := e.DebugDecode(t.Context(), &memoryClip{samples: samples}, p)
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if res.Mode != p.Mode || res.Duration != secondsOf(len(samples)) {
			t.Fatalf("mode %s, %v s, want %s, %v s", res.Mode, res.Duration, p.Mode, secondsOf(len(samples)))
		}
		if silent := !p.CTCWSEnabled && p.CTCWSApply && len(res.Warnings) == 0; silent {
			t.Fatal("phrases without spotting, and no warning")
		}
		var texts []string
		last := 0.0
		for i, s := range res.Segments {
			if s.ID != i || s.Start < last || s.End < s.Start || s.End > res.Duration {
				t.Fatalf("segment %d: id %d, %v–%v after %v of %v", i, s.ID, s.Start, s.End, last, res.Duration)
			}
			last = s.End
			if s.Text != "" {
				texts = append(texts, s.Text)
			}
			checkSegment(t, e, s, p)
		}
		if want := strings.Join(texts, " "); res.Text != want {
			t.Fatalf("text %q, want %q", res.Text, want)
		}
	})
}

// checkSegment checks one segment against its parameters.
func checkSegment(t *rapid.T, e *Engine, s DebugSegment, p DebugParams) {
	t.Helper()
	for name, d := range map[string]HeadResult{"rnnt": s.RNNT, "ctc": s.CTC} {
		if math.IsNaN(d.Score) || d.Score > 1e-6 || len(d.Tokens) != len(d.TokenIDs) || len(d.Timestamps) != len(d.Tokens) {
			t.Fatalf("%s: %+v", name, d)
		}
		if !slices.IsSorted(d.Timestamps) || len(d.Tokens) > 0 && (d.Timestamps[0] < s.Start || d.Timestamps[len(d.Tokens)-1] > s.End) {
			t.Fatalf("%s: times %v in %v–%v", name, d.Timestamps, s.Start, s.End)
		}
	}
	for i, n := range s.NBest {
		if math.IsNaN(n.Score) || math.IsNaN(n.RNNTScore) || math.IsNaN(n.CTCScore) {
			t.Fatalf("hypothesis %d has no score: %+v", i, n)
		}
		// Other modes have the search's own order, by token.
		ranked := p.Mode == Hybrid && e.model.HasRNNT() && (p.CTCWeight != 0 && e.model.HasCTC() || *p.BeamLengthPenalty != 0)
		if ranked && i > 0 && n.Score > s.NBest[i-1].Score {
			t.Fatalf("hypothesis %d of %v comes after one of %v", i, n.Score, s.NBest[i-1].Score)
		}
	}
	plain := map[DecodeMode]string{Hybrid: s.Hybrid.Text, RNNT: s.RNNT.Text, CTC: s.CTC.Text}[p.Mode]
	switch {
	case !e.model.HasRNNT():
		plain = s.CTC.Text
	case !e.model.HasCTC():
		plain = s.Hybrid.Text
		if p.Mode != Hybrid {
			plain = s.RNNT.Text
		}
	}
	if len(s.NBest) > 0 && s.NBest[0].Text != plain {
		t.Fatalf("the n best begin with %q, the mode's text is %q", s.NBest[0].Text, plain)
	}
	switch {
	case s.Applied && (!p.CTCWSApply || !p.CTCWSEnabled || len(s.Spotted) == 0):
		t.Fatal("phrases were applied that were not found, or not to be applied")
	case s.Applied && s.Text != s.SpottedText:
		t.Fatalf("applied: text %q, merged %q", s.Text, s.SpottedText)
	case !s.Applied && s.Text != plain:
		t.Fatalf("text %q, the mode's is %q", s.Text, plain)
	case len(s.Spotted) == 0 && s.SpottedText != plain:
		t.Fatalf("nothing was spotted in %q, and %q came out", plain, s.SpottedText)
	}
	for i, sp := range s.Spotted {
		if sp.Start < s.Start || sp.End > s.End || sp.End < sp.Start || math.IsNaN(sp.Score) {
			t.Fatalf("spotted %+v in %v–%v", sp, s.Start, s.End)
		}
		// As in NeMo's merge_alignment_with_ws_hyps, a phrase that is merged later replaces one that it overlaps.
		replaced := slices.ContainsFunc(s.Spotted[i+1:], func(o SpottedPhrase) bool {
			return o.Start <= sp.End && sp.Start <= o.End
		})
		if !replaced && !strings.Contains(s.SpottedText, strings.Fields(sp.Phrase)[0]) {
			t.Fatalf("spotted %q is not in %q", sp.Phrase, s.SpottedText)
		}
	}
}
