package decode_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"munadi/engine/decode"
)

// beams are the searches of several hypotheses.
var beams = map[string]beamSearch{
	"beam": decode.BeamSearch, "maes": decode.MAESSearch, "malsd": decode.MALSDSearch, "alsd": decode.ALSDSearch, "tsd": decode.TSDSearch,
}

func TestSearchesStopWithTheirContext(t *testing.T) {
	t.Parallel()
	for name, search := range searches {
		ctx, cancel := context.WithCancel(t.Context())
		joints := 0
		n := toyNetwork{labels: 4, seed: 9, onJoint: func() {
			if joints++; joints == 100 {
				cancel()
			}
		}}
		// One frame's work goes on, the rest of a thousand does not.
		if err := search(ctx, n, n.drawFrames(1000, 3)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if joints > 150 {
			t.Errorf("%s: %d joints after the end", name, joints-100)
		}
	}
}

func TestNetworkThatNeverBlanksStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	n := toyNetwork{labels: 2, onJoint: func() {}}
	joints := 0
	n.onJoint = func() {
		if joints++; joints == 10_000 {
			cancel()
		}
	}
	if err := searches["greedy labels"](ctx, n, n.drawFrames(1, -1000)); !errors.Is(err, context.Canceled) {
		t.Errorf("greedy without limit: %v", err)
	}
	// A network that is certain of a label: beams are bounded by themselves.
	net, f := constantNetwork{row: []float32{1000, 0, 0}}, decode.EncoderFrames{Data: make([]float32, 2), T: 2, J: 1}
	for _, name := range []string{"beam", "maes", "malsd", "alsd", "tsd"} {
		if err := searches[name](t.Context(), net, f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSearchesBearBrokenNumbers(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, row := range [][]float32{{nan, nan, nan}, {0, nan, 0}, {inf, 0, 0}, {-inf, -inf, -inf}, {0}, {0, 0}} {
		f := decode.EncoderFrames{Data: make([]float32, 3), T: 3, J: 1}
		for name, search := range beams {
			for _, size := range []int{1, 2, 50} {
				o := decode.BeamDefaults()
				o.Size = size
				hs, err := search(t.Context(), constantNetwork{row}, f, o)
				if err != nil || len(hs) == 0 {
					t.Errorf("%s of %d on %v: %d hypotheses, %v", name, size, row, len(hs), err)
				}
			}
		}
	}
}

func TestSearchesRefuseNonsense(t *testing.T) {
	t.Parallel()
	n := toyNetwork{labels: 2}
	good := n.drawFrames(3, 0)
	short := decode.EncoderFrames{Data: good.Data, T: 100, J: 3}
	for name, search := range searches {
		if err := search(t.Context(), n, short); !errors.Is(err, decode.ErrShape) {
			t.Errorf("%s takes a short matrix: %v", name, err)
		}
	}
	for name, set := range map[string]func(*decode.BeamOptions){
		"beam_size":            func(o *decode.BeamOptions) { o.Size = 0 },
		"softmax_temperature":  func(o *decode.BeamOptions) { o.SoftmaxTemperature = -1 },
		"max_symbols":          func(o *decode.BeamOptions) { o.MaxSymbols = -1 },
		"maes_num_steps":       func(o *decode.BeamOptions) { o.NumSteps = 0 },
		"maes_expansion_gamma": func(o *decode.BeamOptions) { o.ExpansionGamma = math.NaN() },
	} {
		o := decode.BeamDefaults()
		set(&o)
		if _, err := decode.MAESSearch(t.Context(), n, good, o); !errors.Is(err, decode.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
	negative := decode.GreedyOptions{MaxSymbols: -1}
	if _, err := decode.GreedySearch(t.Context(), n, good, negative); !errors.Is(err, decode.ErrOption) {
		t.Errorf("greedy: %v", err)
	}
	if _, err := decode.RNNTForward(t.Context(), n, good, []int{2}); !errors.Is(err, decode.ErrOption) {
		t.Errorf("a blank among the tokens: %v", err)
	}
}

func TestNothingToRead(t *testing.T) {
	t.Parallel()
	n := toyNetwork{labels: 2}
	empty := decode.EncoderFrames{J: 3}
	for name, search := range beams {
		hs, err := search(t.Context(), n, empty, decode.BeamDefaults())
		if err != nil || len(hs) != 1 || len(hs[0].Tokens) != 0 || hs[0].Score != 0 {
			t.Errorf("%s: %v, %v", name, hs, err)
		}
	}
	if h, err := decode.GreedySearch(t.Context(), n, empty, decode.GreedyDefaults()); err != nil || len(h.Tokens) != 0 {
		t.Errorf("greedy: %v, %v", h, err)
	}
}

// However a network is, a search with a bound on its work ends soon after it, and says so.
func TestWorkBoundsEverySearch(t *testing.T) {
	t.Parallel()
	const bound = 2000
	for name, row := range map[string][]float32{
		"certain of a label": {1000, 0, 0, 0}, "flat": make([]float32, 70), "certain of the blank": {0, 0, 0, 1000},
	} {
		f := decode.EncoderFrames{Data: make([]float32, 200), T: 200, J: 1}
		for search, run := range beams {
			o := decode.BeamDefaults()
			o.Size, o.MaxSymbols, o.Work = 64, 0, decode.NewWork(bound)
			checkWork(t, name+": "+search, row, o.Work, func(net decode.TransducerNetwork) (int, error) {
				hs, err := run(t.Context(), net, f, o)
				return len(hs), err
			})
		}
		g := decode.GreedyOptions{LoopLabels: true, Work: decode.NewWork(bound)}
		checkWork(t, name+": greedy", row, g.Work, func(net decode.TransducerNetwork) (int, error) {
			_, err := decode.GreedySearch(t.Context(), net, f, g)
			return 1, err
		})
	}
}

// checkWork runs a search on 200 frames that all look the same.
func checkWork(t *testing.T, name string, row []float32, w *decode.WorkBudget, run func(decode.TransducerNetwork) (int, error)) {
	t.Helper()
	joints := 0
	found, err := run(jointCounter{constantNetwork{row}, &joints})
	if err != nil || found == 0 {
		t.Errorf("%s: %d hypotheses, %v", name, found, err)
	}
	// What is left of a step, then a few joints for each frame.
	if joints > 2000+64*64+200*16 || w.WasCut() != (joints >= 2000) {
		t.Errorf("%s: %d joints, short %v", name, joints, w.WasCut())
	}
}

// jointCounter counts joints.
type jointCounter struct {
	constantNetwork
	joints *int
}

func (c jointCounter) JointLogits(dst, enc []float32, s *decode.PredictionState) {
	*c.joints++
	c.constantNetwork.JointLogits(dst, enc, s)
}
