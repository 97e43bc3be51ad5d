package decode

import (
	"context"
	"slices"
)

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
