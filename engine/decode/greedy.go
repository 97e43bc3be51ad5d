package decode

import (
	"context"
	"fmt"
	"slices"
)

// GreedyOptions are NeMo's decoding.greedy parameters.
type GreedyOptions struct {
	// MaxSymbols is the maximum number of labels per frame (max_symbols); then the frame is left without a blank. 0 is
	// no limit: a network that never prefers the blank then decodes until the context or Work ends.
	MaxSymbols int
	// Temperature divides the logits before the softmax. It changes scores, not tokens. 0 is 1.
	Temperature float64
	// LoopLabels selects label looping (loop_labels): for each label, search the frame that emits it; otherwise, for
	// each frame, its labels. The hypotheses are the same.
	LoopLabels bool
	Work       *WorkBudget // work limit of the search; nil = unlimited
}

// GreedyDefaults returns NeMo's defaults: at most 10 labels per frame, label looping.
func GreedyDefaults() GreedyOptions {
	return GreedyOptions{MaxSymbols: 10, Temperature: 1, LoopLabels: true}
}

// GreedySearch is greedy transducer decoding: it takes the best label of every step (first of equals) and moves to the
// next frame on a blank. The score sums the log-probabilities of emitted labels, without blanks. See NeMo
// rnnt_greedy_decoding.py and rnnt_label_looping.py (Bataev et al. 2024, arXiv:2406.06220).
func GreedySearch(ctx context.Context, net TransducerNetwork, f EncoderFrames, o GreedyOptions) (Hypothesis, error) {
	if err := f.checkShape(); err != nil {
		return Hypothesis{}, err
	}
	if o.MaxSymbols < 0 || !(o.Temperature >= 0) {
		return Hypothesis{}, fmt.Errorf("%w: max_symbols %d, temperature %g", ErrOption, o.MaxSymbols, o.Temperature)
	}
	g := greedySearch{
		net:    net,
		frames: f,
		max:    o.MaxSymbols,
		work:   o.Work,
		scale:  inverseTemperature(o.Temperature),
		state:  net.StartState(),
	}
	if jumps := networkDurations(net); len(jumps) > 0 {
		return g.loopDurations(ctx, jumps)
	}
	g.logits = make([]float32, net.BlankID()+1)
	if o.LoopLabels {
		return g.loopLabels(ctx)
	}
	return g.loopFrames(ctx)
}

// greedySearch is the state of one search.
type greedySearch struct {
	net    TransducerNetwork
	frames EncoderFrames
	max    int
	work   *WorkBudget
	scale  float64
	state  *PredictionState
	logits []float32 // [V+1], for a TDT model [V+1+durations]; scratch
	hyp    Hypothesis
	at     int // next frame of the search
	base   int // frames before those of this search
}

// loopLabels iterates over labels (label looping). Only the inner loop iterates over frames, with the same prediction.
func (g *greedySearch) loopLabels(ctx context.Context) (Hypothesis, error) {
	t, emitted := g.at, 0 // emitted: labels of frame t
	for {
		label := g.net.BlankID()
		for ; t < g.frames.T; t, emitted = t+1, 0 {
			if err := yieldTurn(ctx); err != nil {
				return Hypothesis{}, err
			}
			if g.max > 0 && emitted >= g.max {
				continue
			}
			if label = g.bestLabel(t); label != g.net.BlankID() {
				break
			}
		}
		if t == g.frames.T {
			g.at = t
			return g.hyp, nil
		}
		g.emitLabel(t, label)
		emitted++
	}
}

// loopFrames iterates over frames, and emits labels on each until the blank.
func (g *greedySearch) loopFrames(ctx context.Context) (Hypothesis, error) {
	for t := range g.frames.T {
		for emitted := 0; g.max == 0 || emitted < g.max; emitted++ {
			if err := yieldTurn(ctx); err != nil {
				return Hypothesis{}, err
			}
			label := g.bestLabel(t)
			if label == g.net.BlankID() {
				break
			}
			g.emitLabel(t, label)
		}
	}
	return g.hyp, nil
}

// bestLabel evaluates the joint on frame t, without softmax, which does not change the best label.
func (g *greedySearch) bestLabel(t int) int {
	g.net.JointLogits(g.logits, g.frames.At(t), g.state)
	if !g.work.spendJoints(1) {
		g.max = 1
	}
	return argmaxIndex(g.logits)
}

func (g *greedySearch) emitLabel(t, label int) {
	lp := float64(g.logits[label])*g.scale - logSumExp(g.logits, g.scale)
	g.hyp.Tokens = append(g.hyp.Tokens, label)
	g.hyp.Frames = append(g.hyp.Frames, g.base+t)
	g.hyp.LogProbs = append(g.hyp.LogProbs, lp)
	g.hyp.Score += lp
	g.state = g.net.NextState(g.state, label)
}

// GreedyStream is incremental greedy transducer decoding: the prediction network's state is carried over, so each frame
// is decoded once. It finds what GreedySearch finds in all frames together. Not safe for concurrent use.
type GreedyStream struct {
	search greedySearch
	jumps  []int
	skip   int // frames that the last duration jumps over (TDT)
}

// NewGreedyStream begins an utterance.
func NewGreedyStream(net TransducerNetwork, o GreedyOptions) *GreedyStream {
	g := &GreedyStream{jumps: networkDurations(net), search: greedySearch{
		net: net, max: o.MaxSymbols, scale: inverseTemperature(o.Temperature), state: net.StartState(),
	}}
	g.search.logits = make([]float32, net.BlankID()+1+len(g.jumps))
	return g
}

// PushFrames decodes the next frames. After an error the stream is of no use any more.
func (g *GreedyStream) PushFrames(ctx context.Context, f EncoderFrames) error {
	if f.T == 0 {
		return nil
	}
	if err := f.checkShape(); err != nil {
		return err
	}
	s := &g.search
	s.frames, s.at = f, min(g.skip, f.T)
	err := error(nil)
	if len(g.jumps) > 0 {
		_, err = s.loopDurations(ctx, g.jumps)
	} else {
		_, err = s.loopLabels(ctx)
	}
	g.skip = max(0, g.skip-f.T, s.at-f.T)
	s.base += f.T
	return err
}

// Best returns the hypothesis so far.
func (g *GreedyStream) Best() Hypothesis {
	h := g.search.hyp
	h.Tokens, h.Frames, h.LogProbs = slices.Clone(h.Tokens), slices.Clone(h.Frames), slices.Clone(h.LogProbs)
	return h
}

// DurationNetwork is a TransducerNetwork with durations: a token-and-duration transducer (TDT, Xu et al. 2023,
// arXiv:2304.06795). Its JointLogits writes the logits of the durations behind those of the labels when dst has room
// for them, [V+1+durations].
type DurationNetwork interface {
	TransducerNetwork
	// Durations returns the frames that may be skipped; empty for a plain transducer.
	Durations() []int
}

// networkDurations returns the durations of a network; nil for a plain transducer.
func networkDurations(net TransducerNetwork) []int {
	if d, ok := net.(DurationNetwork); ok {
		return d.Durations()
	}
	return nil
}

// loopDurations is greedy TDT decoding as in NeMo (rnnt_greedy_decoding.py, GreedyTDTInfer). Label and duration are
// chosen independently. A blank advances by at least one frame. After MaxSymbols labels on one frame the search
// advances. A label's score is a log-softmax over labels and durations together.
func (g *greedySearch) loopDurations(ctx context.Context, jumps []int) (Hypothesis, error) {
	blank := g.net.BlankID()
	g.logits = make([]float32, blank+1+len(jumps))
	for emitted := 0; g.at < g.frames.T; {
		t := g.at
		if err := yieldTurn(ctx); err != nil {
			return Hypothesis{}, err
		}
		g.net.JointLogits(g.logits, g.frames.At(t), g.state)
		if !g.work.spendJoints(1) {
			g.max = 1
		}
		label, jump := argmaxIndex(g.logits[:blank+1]), jumps[argmaxIndex(g.logits[blank+1:])]
		if label == blank {
			jump = max(jump, 1)
		} else {
			g.emitLabel(t, label)
			if emitted++; g.max > 0 && emitted >= g.max {
				jump = max(jump, 1)
			}
		}
		if g.at += jump; jump > 0 {
			emitted = 0
		}
	}
	return g.hyp, nil
}
