package engine

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// wholeClipOptions are the defaults with a VAD that takes everything for speech, so that clips reach the decoders uncut
// as they reached NeMo's.
func wholeClipOptions() DebugParams {
	p := DebugDefaults()
	p.VADThreshold = 0
	return p
}

func debugOptions(t *testing.T, samples []float32, p DebugParams) *DebugResult {
	t.Helper()
	res, err := openReference(t).DebugDecode(t.Context(), &memoryClip{samples: samples}, p)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func pointerTo[T any](v T) *T { return &v }

func TestDebugGivesNeMosHypotheses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	files, dir := loadGolden(t)
	for _, f := range files[:min(len(files), 12)] {
		samples := loadClip(t, filepath.Join(dir, f.Wav))
		beam := wholeClipOptions()
		beam.BeamEnabled = true
		frames := wholeClipOptions()
		frames.LoopLabels = pointerTo(false)
		one := wholeClipOptions()
		one.MaxSymbolsPerStep = pointerTo(1)
		warm := wholeClipOptions()
		warm.Temperature = pointerTo(2.0)
		warmBeam := beam
		warmBeam.BeamTemperature = pointerTo(2.0)
		for name, p := range map[string]DebugParams{
			"greedy_batch_loop_labels": wholeClipOptions(), "greedy_batch_loop_frames": frames, "greedy_max_symbols_1": one,
			"greedy_temperature_2": warm, "beam4": beam, "beam4_temp2": warmBeam,
		} {
			want := f.RNNT[name][0]
			for _, mode := range []DecodeMode{Hybrid, RNNT, CTC} {
				p.Mode = mode
				res := debugOptions(t, samples, p)
				if len(res.Segments) != 1 {
					t.Fatalf("%s: %d segments, want the whole clip", f.Wav, len(res.Segments))
				}
				s := res.Segments[0]
				if !slices.Equal(s.RNNT.TokenIDs, want.Tokens) || math.Abs(s.RNNT.Score-want.Score) > 1e-3 || s.RNNT.Text != want.Text {
					t.Errorf("%s %s %s: %q %.4f, want %q %.4f", f.Wav, name, mode, s.RNNT.Text, s.RNNT.Score, want.Text, want.Score)
				}
				if text := map[DecodeMode]string{Hybrid: s.RNNT.Text, RNNT: s.RNNT.Text, CTC: s.CTC.Text}[mode]; s.Text != text || res.Text != text {
					t.Errorf("%s %s: text %q, want %q", f.Wav, mode, s.Text, text)
				}
			}
		}
		greedy := collapsePath(f.CTC["greedy"][0], 256)
		if s := debugOptions(t, samples, wholeClipOptions()).Segments[0]; !slices.Equal(s.CTC.TokenIDs, greedy.Tokens) || math.Abs(s.CTC.Score-greedy.Score) > 1e-3 {
			t.Errorf("%s ctc: %v %.4f, want %v %.4f", f.Wav, s.CTC.TokenIDs, s.CTC.Score, greedy.Tokens, greedy.Score)
		}
	}
}

func TestDebugRanksByTheWeights(t *testing.T) {
	samples := loadClip(t, "testdata/golden/g16.wav")
	p := wholeClipOptions()
	p.BeamEnabled, p.BeamSize = true, pointerTo(8)
	plain := debugOptions(t, samples, p).Segments[0]
	if len(plain.NBest) < 4 || plain.NBest[0].Score != plain.NBest[0].RNNTScore {
		t.Fatalf("n-best = %+v, want 4 at least, ranked by the RNNT alone", plain.NBest)
	}
	p.CTCWeight, p.AcousticScale, p.BeamLengthPenalty = 0.7, pointerTo(0.5), pointerTo(1.5)
	for i, n := range debugOptions(t, samples, p).Segments[0].NBest {
		want := 0.5*n.RNNTScore + 0.7*n.CTCScore + 1.5*float64(len(n.TokenIDs))
		if math.Abs(n.Score-want) > 1e-6 {
			t.Errorf("hypothesis %d: total %v, want %v", i, n.Score, want)
		}
	}
	p.BeamLengthPenalty = pointerTo(50.0)
	long := debugOptions(t, samples, p).Segments[0].NBest
	for i := 1; i < len(long); i++ {
		if len(long[i].TokenIDs) > len(long[0].TokenIDs) {
			t.Errorf("a length bonus of 50 leaves %d tokens before %d", len(long[0].TokenIDs), len(long[i].TokenIDs))
		}
	}
}

// The word spotter with NeMo's context words gives NeMo's phrases and merged texts, for all recordings.
func TestDebugSpotsWhatNeMoSpots(t *testing.T) {
	words, err := os.ReadFile(filepath.Join(reference, "golden/context_words.json"))
	if err != nil {
		t.Skip("no ../shared/reference beside the project: the spotter is compared with NeMo in package decode only")
	}
	context := strings.NewReplacer("[", "", "]", "", `"`, "").Replace(string(words))
	files, dir := loadGolden(t)
	spottings := 0
	for _, f := range files {
		p := wholeClipOptions()
		p.Mode, p.CTCWSEnabled, p.CTCWSApply, p.CTCWSContext = CTC, true, true, &context
		p.CTCWSContextScore, p.CTCWSAliTokenWeight, p.CTCWSKeywordThreshold = 5, 0.3, -8
		p.CTCWSBlankThreshold, p.CTCWSNonBlankThreshold = 0.9, 0.0001
		want := f.Spotted["strong"]
		s := debugOptions(t, loadClip(t, filepath.Join(dir, f.Wav)), p).Segments[0]
		if len(s.Spotted) != len(want.Hyps) || s.Applied != (len(want.Hyps) > 0) {
			t.Errorf("%s: spotted %v, want %v", f.Wav, s.Spotted, want.Hyps)
			continue
		}
		for i, h := range want.Hyps {
			spottings++
			if s.Spotted[i].Phrase != h.Word || math.Abs(s.Spotted[i].Score-h.Score) > 2e-3 {
				t.Errorf("%s: spotted %+v, want %+v", f.Wav, s.Spotted[i], h)
			}
		}
		if len(want.Hyps) > 0 && s.Text != want.Merged {
			t.Errorf("%s: merged text %q, want %q", f.Wav, s.Text, want.Merged)
		}
	}
	if spottings < 5 {
		t.Errorf("%d phrases spotted in all: the test compares nothing", spottings)
	}
}

func TestDebugReportsWithoutApplying(t *testing.T) {
	p := wholeClipOptions()
	p.CTCWSEnabled, p.CTCWSContext = true, pointerTo("حجم كبير\nلا شيء")
	s := debugOptions(t, loadClip(t, "testdata/golden/g00.wav"), p).Segments[0]
	if len(s.Spotted) != 1 || s.Spotted[0].Phrase != "حجم كبير" || s.Applied {
		t.Errorf("spotted %+v, applied %v", s.Spotted, s.Applied)
	}
	if sp := s.Spotted[0]; sp.Start < s.Start || sp.End > s.End || sp.End <= sp.Start {
		t.Errorf("spotted from %v to %v in %v–%v", sp.Start, sp.End, s.Start, s.End)
	}
}

func TestDebugCutsAsTheParametersSay(t *testing.T) {
	samples := conversationClip(t, 6)
	count := func(change func(*DebugParams)) int {
		p := DebugDefaults()
		change(&p)
		return len(debugOptions(t, samples, p).Segments)
	}
	normal := count(func(*DebugParams) {})
	if n := count(func(p *DebugParams) { p.VADMinSilenceMS = 3000 }); n >= normal {
		t.Errorf("3 s of least silence: %d segments, want fewer than %d", n, normal)
	}
	if n := count(func(p *DebugParams) { p.VADMinSpeechMS = 60000 }); n != 0 {
		t.Errorf("a minute of least speech: %d segments, want none", n)
	}
	if n := count(func(p *DebugParams) { p.MaxChunkSeconds = 1 }); n <= normal {
		t.Errorf("chunks of 1 s: %d segments, want more than %d", n, normal)
	}
	if n := count(func(p *DebugParams) { p.VADMaxSpeechS = 1 }); n <= normal {
		t.Errorf("speech of 1 s at most: %d segments, want more than %d", n, normal)
	}
	if n := count(func(p *DebugParams) { p.VADThreshold = 1 }); n != 0 {
		t.Errorf("threshold 1: %d segments, want none", n)
	}
	long := debugOptions(t, samples, func() DebugParams { p := wholeClipOptions(); p.MaxChunkSeconds = 2; return p }())
	for _, s := range long.Segments {
		if s.End-s.Start > 2.001 {
			t.Errorf("a chunk of %v s, want 2 at most", s.End-s.Start)
		}
	}
}

func TestDebugWarnsOfWhatMakesNoDifference(t *testing.T) {
	e := openTest(t)
	for name, tc := range map[string]struct {
		change func(*DebugParams)
		want   string
	}{
		"cuda graphs":   {func(p *DebugParams) { p.UseCUDAGraphDecoder = pointerTo(true) }, "use_cuda_graph_decoder"},
		"beam size":     {func(p *DebugParams) { p.BeamSize = pointerTo(8) }, "beam_size"},
		"ctc weight":    {func(p *DebugParams) { p.Mode, p.CTCWeight = RNNT, 0.5 }, "ctc_weight"},
		"apply":         {func(p *DebugParams) { p.CTCWSApply = true }, "ctc_ws_enabled is off"},
		"nothing to do": {func(p *DebugParams) { p.CTCWSEnabled, p.CTCWSContext = true, pointerTo(" , \n") }, "has no phrase"},
		"context":       {func(p *DebugParams) { p.CTCWSContext = pointerTo("قهوة") }, "ctc_ws_enabled is off"},
		"threshold":     {func(p *DebugParams) { p.CTCWSBlankThreshold = 0.5 }, "ctc_ws_enabled is off"},
		"loop labels":   {func(p *DebugParams) { p.BeamEnabled, p.LoopLabels = true, pointerTo(false) }, "loop_labels"},
		"all padding":   {func(p *DebugParams) { p.VADPadMS = 10000 }, "vad_max_speech_s"},
	} {
		p := DebugDefaults()
		tc.change(&p)
		if got := e.debugWarnings(p.ResolveDefaults()); len(got) != 1 || !strings.Contains(got[0], tc.want) {
			t.Errorf("%s: warnings = %q, want one about %q", name, got, tc.want)
		}
	}
	if got := e.debugWarnings(DebugDefaults().ResolveDefaults()); len(got) != 0 {
		t.Errorf("the defaults warn: %q", got)
	}
}

func TestSplitPhrases(t *testing.T) {
	t.Parallel()
	got := SplitPhrases("كبسة, شاورما ،  بيتزا   كبيرة\r\nكبسة\n\n,")
	if want := []string{"كبسة", "شاورما", "بيتزا كبيرة"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
