package decode

import (
	"cmp"
	"context"
	"slices"
)

// TSDSearch is time synchronous decoding, NeMo's strategy "tsd" (Saon et al. 2020, DOI
// 10.1109/ICASSP40776.2020.9053040; rnnt_beam_decoding.py, time_sync_decoding). On each frame hypotheses grow by up to
// TSDMaxSymbols-1 labels; those that leave it by a blank are collected, equal sequences are merged by adding their
// probabilities, and the best Size continue on the next frame. Scores include blanks. n-best, best first, at most Size.
func TSDSearch(ctx context.Context, net TransducerNetwork, f EncoderFrames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.checkShape(), o.checkBounds(), o.checkTSD()); err != nil {
		return nil, err
	}
	s := tsdSearch{jointScorer: newScorer(net, f, o.SoftmaxTemperature, o.Work), BeamOptions: o}
	s.Size = max(1, min(o.Size, net.BlankID()))
	kept := []*partialHypothesis{{prefix: &prefixNode{}}}
	for t := range f.T {
		s.moveToFrame(t)
		next, err := s.readFrame(ctx, kept)
		if err != nil {
			return nil, err
		}
		if len(next) > 0 { // otherwise only NaN and -Inf remain
			kept = next
		}
		s.keepOnly(kept, s.used)
	}
	return finishHypotheses(kept, o.ScoreNorm), nil
}

// tsdSearch is the state of one [TSDSearch].
type tsdSearch struct {
	*jointScorer
	BeamOptions
	sequencePruner
	top topK
}

// readFrame processes one frame and returns the best hypotheses that have left it.
func (s *tsdSearch) readFrame(ctx context.Context, open []*partialHypothesis) ([]*partialHypothesis, error) {
	var left []*partialHypothesis
	for n := range s.TSDMaxSymbols {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		left = s.leaveFrame(left, open)
		if n == s.TSDMaxSymbols-1 || n > 0 && s.work.WasCut() {
			break
		}
		if open = s.growLabels(open); len(open) == 0 || s.isHopeless(open[0], left) {
			break
		}
	}
	return s.bestHypotheses(left), nil
}

// negligible is the score difference, in nats, below which a hypothesis does not affect the scores of better ones.
const negligible = 30

// isHopeless reports whether extending the best open hypothesis, and all below it, cannot change the result: labels
// only lower scores (early termination).
func (s *tsdSearch) isHopeless(best *partialHypothesis, left []*partialHypothesis) bool {
	size := s.beamWidth()
	return len(left) >= size && countAbove(left, best.score+negligible) >= size
}

// leaveFrame extends the open hypotheses by the blank.
func (s *tsdSearch) leaveFrame(left, open []*partialHypothesis) []*partialHypothesis {
	blank := s.net.BlankID()
	for _, p := range open {
		score := p.score + s.rowFor(p.prefix).logProb(blank)
		same := slices.IndexFunc(left, func(q *partialHypothesis) bool { return q.prefix == p.prefix })
		if same < 0 {
			left = append(left, &partialHypothesis{p.prefix, p.trace, score})
		} else {
			left[same].score = logAdd(left[same].score, score)
		}
	}
	return left
}

// growLabels extends the open hypotheses by one more label.
func (s *tsdSearch) growLabels(open []*partialHypothesis) []*partialHypothesis {
	size := s.beamWidth()
	s.top.resetChoices(size)
	for i, p := range open {
		s.top.offerLabels(s.rowFor(p.prefix), s.net.BlankID(), i, p.score)
	}
	grown := make([]*partialHypothesis, 0, size)
	for _, c := range s.top.best {
		grown = append(grown, open[c.slot].extendLabel(c.label, s.t, c.score-open[c.slot].score))
	}
	return grown
}

func (s *tsdSearch) bestHypotheses(left []*partialHypothesis) []*partialHypothesis {
	left = slices.DeleteFunc(left, func(p *partialHypothesis) bool { return !(p.score > negInf) })
	slices.SortStableFunc(left, func(a, b *partialHypothesis) int { return cmp.Compare(b.score, a.score) })
	return left[:min(s.beamWidth(), len(left))]
}

// beamWidth returns the number of hypotheses that continue.
func (s *tsdSearch) beamWidth() int {
	if s.work.WasCut() {
		return 1
	}
	return s.Size
}
