package decode_test

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"munadi/engine/decode"
)

// tolerance is how far a score may be from NeMo's, which sums in float32.
const tolerance = 1e-3

// rnntMethods are NeMo's runs, by the names that the reference has for them.
var rnntMethods = map[string]func(context.Context, decode.TransducerNetwork, decode.EncoderFrames) ([]decode.Hypothesis, error){
	"greedy_batch_loop_labels": greedyWith(func(*decode.GreedyOptions) {}),
	"greedy_batch_loop_frames": greedyWith(func(o *decode.GreedyOptions) { o.LoopLabels = false }),
	"greedy_max_symbols_1":     greedyWith(func(o *decode.GreedyOptions) { o.MaxSymbols = 1 }),
	"greedy_temperature_2":     greedyWith(func(o *decode.GreedyOptions) { o.Temperature = 2 }),
	"beam4":                    beamWith(decode.BeamSearch, func(*decode.BeamOptions) {}),
	"beam4_nonorm":             beamWith(decode.BeamSearch, func(o *decode.BeamOptions) { o.ScoreNorm = false }),
	"beam4_temp2":              beamWith(decode.BeamSearch, func(o *decode.BeamOptions) { o.SoftmaxTemperature = 2 }),
	"beam1":                    beamWith(decode.BeamSearch, func(o *decode.BeamOptions) { o.Size = 1 }),
	"maes4":                    beamWith(decode.MAESSearch, func(*decode.BeamOptions) {}),
	"malsd_batch4":             beamWith(decode.MALSDSearch, func(*decode.BeamOptions) {}),
	"tsd4":                     beamWith(decode.TSDSearch, func(*decode.BeamOptions) {}),
	"alsd4":                    beamWith(decode.ALSDSearch, func(*decode.BeamOptions) {}),
}

type beamSearch func(context.Context, decode.TransducerNetwork, decode.EncoderFrames, decode.BeamOptions) ([]decode.Hypothesis, error)

func greedyWith(set func(*decode.GreedyOptions)) func(
	context.Context, decode.TransducerNetwork, decode.EncoderFrames) ([]decode.Hypothesis, error) {
	return func(ctx context.Context, net decode.TransducerNetwork, f decode.EncoderFrames) ([]decode.Hypothesis, error) {
		o := decode.GreedyDefaults()
		set(&o)
		h, err := decode.GreedySearch(ctx, net, f, o)
		return []decode.Hypothesis{h}, err
	}
}

func beamWith(search beamSearch, set func(*decode.BeamOptions)) func(
	context.Context, decode.TransducerNetwork, decode.EncoderFrames) ([]decode.Hypothesis, error) {
	return func(ctx context.Context, net decode.TransducerNetwork, f decode.EncoderFrames) ([]decode.Hypothesis, error) {
		o := decode.BeamDefaults()
		set(&o)
		return search(ctx, net, f, o)
	}
}

func TestRNNTAnswersAsNeMo(t *testing.T) {
	t.Parallel()
	v := readGolden(t)
	net := newLSTM(t, filepath.Join(v.dir, "net.npy"))
	for method, search := range rnntMethods {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			files, worst := 0, 0.0
			for name, file := range v.Files {
				if file.RNNT == nil {
					continue
				}
				got, err := search(t.Context(), net, v.frameVectors(t, name))
				if err != nil {
					t.Fatal(err)
				}
				files, worst = files+1, max(worst, compareHypotheses(t, name, got, file.RNNT[method]))
			}
			if files < 12 {
				t.Errorf("only %d files", files)
			}
			t.Logf("%d files, scores within %.1e", files, worst)
		})
	}
}

// compareHypotheses reports where hypotheses are not those of NeMo, and returns how far their scores are off.
func compareHypotheses(t *testing.T, name string, got []decode.Hypothesis, want []nemoAnswer) (worst float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d hypotheses, NeMo has %d", name, len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		g, w := got[i], want[i]
		if !slices.Equal(g.Tokens, w.Tokens) || !slices.Equal(g.Frames, w.Frames) {
			t.Errorf("%s %d: %v at %v (%g), NeMo has\n%v at %v (%g)",
				name, i, g.Tokens, g.Frames, g.Score, w.Tokens, w.Frames, w.Score)
		}
		worst = max(worst, math.Abs(g.Score-w.Score))
	}
	if !(worst <= tolerance) {
		t.Errorf("%s: scores off by %g", name, worst)
	}
	return worst
}
