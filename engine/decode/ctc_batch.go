package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// CTCBatchOptions are NeMo's BeamCTCInferConfig for strategy "beam_batch".
type CTCBatchOptions struct {
	Size      int     // beam_size, >= 1
	Beta      float64 // beam_beta: bonus per new token
	Threshold float64 // beam_threshold: pruning threshold below the best candidate
}

// CTCBatchDefaults returns NeMo's defaults.
func CTCBatchDefaults() CTCBatchOptions { return CTCBatchOptions{Size: 4, Beta: 1, Threshold: 20} }

// CTCBeamBatch is NeMo's CTC beam search, strategy "beam_batch" (ctc_batched_beam_decoding.py), without fusion models.
// Of equal sequences only the better alignment is kept, so the score is that of one alignment, plus Beta per token. It
// exists for comparison with NeMo; [CTCPrefixBeam] is the better search. n-best, best first, at most Size.
func CTCBeamBatch(ctx context.Context, lp LogProbs, o CTCBatchOptions) ([]Hypothesis, error) {
	if err := cmp.Or(lp.checkShape(), o.checkBounds()); err != nil {
		return nil, err
	}
	b := ctcBatch{LogProbs: lp, CTCBatchOptions: o}
	slots := []ctcSlot{{prefix: &prefixNode{}, last: -1}}
	for t := range lp.T {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		if next := b.readFrame(t, slots); len(next) > 0 {
			slots = next
		}
	}
	hs := make([]Hypothesis, len(slots))
	for i, s := range slots {
		hs[i] = newHypothesis(s.prefix, s.trace, s.score)
	}
	sortBest(hs, false)
	return hs, nil
}

func (o CTCBatchOptions) checkBounds() error {
	if o.Size < 1 || !(o.Threshold >= 0) || math.IsNaN(o.Beta) {
		return fmt.Errorf("%w: beam_size %d, beam_threshold %g, beam_beta %g", ErrOption, o.Size, o.Threshold, o.Beta)
	}
	return nil
}

// ctcSlot is a hypothesis during [CTCBeamBatch].
type ctcSlot struct {
	prefix *prefixNode
	trace  *emissionTrace
	score  float64
	last   int // label of the previous frame, blank included; -1 before the first frame
}

// ctcBatch is the state of one [CTCBeamBatch].
type ctcBatch struct {
	LogProbs
	CTCBatchOptions
	top topK
}

// readFrame processes frame t.
func (b *ctcBatch) readFrame(t int, slots []ctcSlot) []ctcSlot {
	b.top.resetChoices(b.Size)
	frame := b.At(t)
	for i, s := range slots {
		for label, v := range frame {
			score := s.score + float64(v)
			if label != b.BlankID() && label != s.last {
				score += b.Beta
			}
			b.top.offerChoice(beamChoice{i, label, score})
		}
	}
	next := make([]ctcSlot, 0, b.Size)
	for _, c := range b.top.best {
		if c.score > b.top.best[0].score-b.Threshold {
			next = recombineCTC(next, b.advanceSlot(t, slots[c.slot], c))
		}
	}
	return next
}

// advanceSlot applies a choice to its slot.
func (b *ctcBatch) advanceSlot(t int, s ctcSlot, c beamChoice) ctcSlot {
	logProb := float64(b.At(t)[c.label])
	switch {
	case c.label == b.BlankID():
	case c.label == s.last:
		s.trace = holdRun(s.trace, logProb)
	default:
		s.prefix, s.trace = s.prefix.childPrefix(c.label), &emissionTrace{s.trace, t, logProb}
	}
	s.score, s.last = c.score, c.label
	return s
}

// recombineCTC adds s unless a slot, which is a better one, holds the same sequence ending the same way.
func recombineCTC(slots []ctcSlot, s ctcSlot) []ctcSlot {
	for _, other := range slots {
		if other.prefix == s.prefix && other.last == s.last {
			return slots
		}
	}
	return append(slots, s)
}
