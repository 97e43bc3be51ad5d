package decode

import "context"

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
