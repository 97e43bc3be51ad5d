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
	Beta      float64 // beam_beta: bonus of every new token
	Threshold float64 // beam_threshold: candidates this much below the best are dropped
}

// CTCBatchDefaults are those of NeMo.
func CTCBatchDefaults() CTCBatchOptions { return CTCBatchOptions{Size: 4, Beta: 1, Threshold: 20} }

// CTCBeamBatch is NeMo's strategy "beam_batch" (ctc_batched_beam_decoding.py) without fusion models. Of equal
// sequences only the better alignment is kept, so the score is that of one alignment, plus Beta for each token. It is
// here to be compared with NeMo; [CTCPrefixBeam] is the better search. Best first, at most Size.
func CTCBeamBatch(ctx context.Context, lp LogProbs, o CTCBatchOptions) ([]Hypothesis, error) {
	if err := cmp.Or(lp.check(), o.check()); err != nil {
		return nil, err
	}
	b := ctcBatch{LogProbs: lp, CTCBatchOptions: o}
	slots := []ctcSlot{{prefix: &prefix{}, last: -1}}
	for t := range lp.T {
		if err := checkpoint(ctx); err != nil {
			return nil, err
		}
		if next := b.step(t, slots); len(next) > 0 {
			slots = next
		}
	}
	hs := make([]Hypothesis, len(slots))
	for i, s := range slots {
		hs[i] = hypothesis(s.prefix, s.trace, s.score)
	}
	sortBest(hs, false)
	return hs, nil
}

func (o CTCBatchOptions) check() error {
	if o.Size < 1 || !(o.Threshold >= 0) || math.IsNaN(o.Beta) {
		return fmt.Errorf("%w: beam_size %d, beam_threshold %g, beam_beta %g", ErrOption, o.Size, o.Threshold, o.Beta)
	}
	return nil
}

// ctcSlot is a hypothesis of [CTCBeamBatch] under way.
type ctcSlot struct {
	prefix *prefix
	trace  *trace
	score  float64
	last   int // label of the frame before, blanks included; -1 before the first frame
}

// ctcBatch is the search of [CTCBeamBatch] under way.
type ctcBatch struct {
	LogProbs
	CTCBatchOptions
	top topK
}

// step reads frame t.
func (b *ctcBatch) step(t int, slots []ctcSlot) []ctcSlot {
	b.top.reset(b.Size)
	frame := b.At(t)
	for i, s := range slots {
		for label, v := range frame {
			score := s.score + float64(v)
			if label != b.Blank() && label != s.last {
				score += b.Beta
			}
			b.top.offer(choice{i, label, score})
		}
	}
	next := make([]ctcSlot, 0, b.Size)
	for _, c := range b.top.best {
		if c.score > b.top.best[0].score-b.Threshold {
			next = recombineCTC(next, b.advance(t, slots[c.slot], c))
		}
	}
	return next
}

// advance applies a choice to its slot.
func (b *ctcBatch) advance(t int, s ctcSlot, c choice) ctcSlot {
	logProb := float64(b.At(t)[c.label])
	switch {
	case c.label == b.Blank():
	case c.label == s.last:
		s.trace = hold(s.trace, logProb)
	default:
		s.prefix, s.trace = s.prefix.child(c.label), &trace{s.trace, t, logProb}
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
