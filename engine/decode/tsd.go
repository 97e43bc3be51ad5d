package decode

import (
	"cmp"
	"context"
	"slices"
)

// TSD is NeMo's strategy "tsd", time synchronous decoding (Saon et al. 2020, DOI 10.1109/ICASSP40776.2020.9053040;
// rnnt_beam_decoding.py, time_sync_decoding). On each frame hypotheses grow by up to TSDMaxSymbols-1 labels; all that
// leave it by a blank are gathered, equal sequences are merged by adding their probabilities, and the best Size go on to
// the next frame. Scores include blanks. Best first, at most Size.
func TSD(ctx context.Context, net Network, f Frames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.check(), o.check(), o.checkTSD()); err != nil {
		return nil, err
	}
	s := tsd{scorer: newScorer(net, f, o.SoftmaxTemperature, o.Work), BeamOptions: o}
	s.Size = max(1, min(o.Size, net.Blank()))
	kept := []*partial{{prefix: &prefix{}}}
	for t := range f.T {
		s.frame(t)
		next, err := s.step(ctx, kept)
		if err != nil {
			return nil, err
		}
		if len(next) > 0 { // otherwise nothing but NaN and -Inf ahead
			kept = next
		}
		s.keepOnly(kept, s.used)
	}
	return finish(kept, o.ScoreNorm), nil
}

// tsd is the search of [TSD] under way.
type tsd struct {
	*scorer
	BeamOptions
	pruner
	top topK
}

// step reads one frame: it returns the best hypotheses that have left it.
func (s *tsd) step(ctx context.Context, open []*partial) ([]*partial, error) {
	var left []*partial
	for n := range s.TSDMaxSymbols {
		if err := checkpoint(ctx); err != nil {
			return nil, err
		}
		left = s.leave(left, open)
		if n == s.TSDMaxSymbols-1 || n > 0 && s.work.Short() {
			break
		}
		if open = s.grow(open); len(open) == 0 || s.hopeless(open[0], left) {
			break
		}
	}
	return s.best(left), nil
}

// negligible is how far below the hypotheses that go on, in nats, another one changes nothing in their scores any more.
const negligible = 30

// hopeless says that growing the best open hypothesis, and all below it, can't change what goes on: labels only lower
// scores.
func (s *tsd) hopeless(best *partial, left []*partial) bool {
	size := s.width()
	return len(left) >= size && above(left, best.score+negligible) >= size
}

// leave lets the open hypotheses take the blank.
func (s *tsd) leave(left, open []*partial) []*partial {
	blank := s.net.Blank()
	for _, p := range open {
		score := p.score + s.at(p.prefix).logProb(blank)
		same := slices.IndexFunc(left, func(q *partial) bool { return q.prefix == p.prefix })
		if same < 0 {
			left = append(left, &partial{p.prefix, p.trace, score})
		} else {
			left[same].score = logAdd(left[same].score, score)
		}
	}
	return left
}

// grow lets the open hypotheses take one more label.
func (s *tsd) grow(open []*partial) []*partial {
	size := s.width()
	s.top.reset(size)
	for i, p := range open {
		s.top.labels(s.at(p.prefix), s.net.Blank(), i, p.score)
	}
	grown := make([]*partial, 0, size)
	for _, c := range s.top.best {
		grown = append(grown, open[c.slot].extend(c.label, s.t, c.score-open[c.slot].score))
	}
	return grown
}

func (s *tsd) best(left []*partial) []*partial {
	left = slices.DeleteFunc(left, func(p *partial) bool { return !(p.score > negInf) })
	slices.SortStableFunc(left, func(a, b *partial) int { return cmp.Compare(b.score, a.score) })
	return left[:min(s.width(), len(left))]
}

// width is how many hypotheses are followed.
func (s *tsd) width() int {
	if s.work.Short() {
		return 1
	}
	return s.Size
}
