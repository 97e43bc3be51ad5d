package decode

import (
	"context"
	"fmt"
)

// GreedyOptions are NeMo's decoding.greedy.
type GreedyOptions struct {
	// MaxSymbols is the most labels that one frame may emit (max_symbols); then the frame is left without a blank.
	// 0 is no limit: a network that never prefers the blank then decodes until the context ends or Work does.
	MaxSymbols int
	// Temperature divides the logits before the softmax. It changes scores, not tokens. 0 is 1.
	Temperature float64
	// LoopLabels chooses the order of evaluation (loop_labels): for each label, look for the frame that emits it;
	// otherwise, for each frame, its labels. The hypotheses are the same.
	LoopLabels bool
	Work       *Work // bounds the search; nil = nothing does
}

// GreedyDefaults are those of NeMo: at most 10 labels a frame, label looping.
func GreedyDefaults() GreedyOptions {
	return GreedyOptions{MaxSymbols: 10, Temperature: 1, LoopLabels: true}
}

// Greedy takes the best label of every step (first of equals) and moves to the next frame when that is the blank.
// The score sums the log-probabilities of emitted labels, without blanks. See NeMo rnnt_greedy_decoding.py and
// rnnt_label_looping.py (Bataev et al. 2024, arXiv:2406.06220).
func Greedy(ctx context.Context, net Network, f Frames, o GreedyOptions) (Hypothesis, error) {
	if err := f.check(); err != nil {
		return Hypothesis{}, err
	}
	if o.MaxSymbols < 0 || !(o.Temperature >= 0) {
		return Hypothesis{}, fmt.Errorf("%w: max_symbols %d, temperature %g", ErrOption, o.MaxSymbols, o.Temperature)
	}
	g := greedy{net: net, frames: f, max: o.MaxSymbols, work: o.Work, scale: inverse(o.Temperature), state: net.Start()}
	if jumps := durations(net); len(jumps) > 0 {
		return g.loopDurations(ctx, jumps)
	}
	g.logits = make([]float32, net.Blank()+1)
	if o.LoopLabels {
		return g.loopLabels(ctx)
	}
	return g.loopFrames(ctx)
}

// greedy is a search under way.
type greedy struct {
	net    Network
	frames Frames
	max    int
	work   *Work
	scale  float64
	state  *State
	logits []float32 // [V+1], of a TDT model [V+1+durations]; scratch
	hyp    Hypothesis
}

// loopLabels goes from label to label. Only the inner loop passes over frames, with one and the same prediction.
func (g *greedy) loopLabels(ctx context.Context) (Hypothesis, error) {
	t, emitted := 0, 0 // emitted: labels of frame t
	for {
		label := g.net.Blank()
		for ; t < g.frames.T; t, emitted = t+1, 0 {
			if err := checkpoint(ctx); err != nil {
				return Hypothesis{}, err
			}
			if g.max > 0 && emitted >= g.max {
				continue
			}
			if label = g.best(t); label != g.net.Blank() {
				break
			}
		}
		if t == g.frames.T {
			return g.hyp, nil
		}
		g.emit(t, label)
		emitted++
	}
}

// loopFrames goes from frame to frame, and at each emits labels until the blank.
func (g *greedy) loopFrames(ctx context.Context) (Hypothesis, error) {
	for t := range g.frames.T {
		for emitted := 0; g.max == 0 || emitted < g.max; emitted++ {
			if err := checkpoint(ctx); err != nil {
				return Hypothesis{}, err
			}
			label := g.best(t)
			if label == g.net.Blank() {
				break
			}
			g.emit(t, label)
		}
	}
	return g.hyp, nil
}

// best evaluates the joint on frame t; the softmax is left out, as it does not change which label is best.
func (g *greedy) best(t int) int {
	g.net.Joint(g.logits, g.frames.At(t), g.state)
	if !g.work.spend(1) {
		g.max = 1
	}
	return argmax(g.logits)
}

func (g *greedy) emit(t, label int) {
	lp := float64(g.logits[label])*g.scale - logSumExp(g.logits, g.scale)
	g.hyp.Tokens = append(g.hyp.Tokens, label)
	g.hyp.Frames = append(g.hyp.Frames, t)
	g.hyp.LogProbs = append(g.hyp.LogProbs, lp)
	g.hyp.Score += lp
	g.state = g.net.Next(g.state, label)
}
