package decode

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// BeamOptions are NeMo's decoding.beam, for [Beam], [MAES], [ALSD], [TSD] and [MALSD]; each field says who reads it.
type BeamOptions struct {
	Size      int  // beam_size, >= 1
	ScoreNorm bool // score_norm: the final order is by score/(U+1)
	// SoftmaxTemperature (softmax_temperature) divides the logits. All but MALSD. 0 is 1.
	SoftmaxTemperature float64

	NumSteps       int     // maes_num_steps: MAES, expansions of a frame, >= 1
	PrefixAlpha    int     // maes_prefix_alpha: MAES, how much longer a hypothesis may be than its prefix to merge
	ExpansionGamma float64 // maes_expansion_gamma: MAES, how far below the best an expansion may score
	ExpansionBeta  int     // maes_expansion_beta: MAES, candidates beyond Size
	MaxSymbols     int     // max_symbols: MALSD, most labels of a frame; 0 is no limit
	TSDMaxSymbols  int     // tsd_max_sym_exp: TSD, labels of a frame and one, >= 1
	ALSDMaxTarget  float64 // alsd_max_target_len: ALSD, most labels a frame on the average, > 0

	Work *Work // bounds the search; nil = nothing does
}

// BeamDefaults are those of NeMo.
func BeamDefaults() BeamOptions {
	return BeamOptions{
		Size: 4, ScoreNorm: true, SoftmaxTemperature: 1,
		NumSteps: 2, PrefixAlpha: 1, ExpansionGamma: 2.3, ExpansionBeta: 2, MaxSymbols: 10,
		TSDMaxSymbols: 50, ALSDMaxTarget: 2,
	}
}

func (o BeamOptions) check() error {
	switch {
	case o.Size < 1:
		return fmt.Errorf("%w: beam_size %d", ErrOption, o.Size)
	case !(o.SoftmaxTemperature >= 0):
		return fmt.Errorf("%w: softmax_temperature %g", ErrOption, o.SoftmaxTemperature)
	case o.MaxSymbols < 0:
		return fmt.Errorf("%w: max_symbols %d", ErrOption, o.MaxSymbols)
	}
	return nil
}

func (o BeamOptions) checkTSD() error {
	if o.TSDMaxSymbols < 1 {
		return fmt.Errorf("%w: tsd_max_sym_exp %d", ErrOption, o.TSDMaxSymbols)
	}
	return nil
}

func (o BeamOptions) checkALSD() error {
	if !(o.ALSDMaxTarget > 0 && o.ALSDMaxTarget <= 100) {
		return fmt.Errorf("%w: alsd_max_target_len %g", ErrOption, o.ALSDMaxTarget)
	}
	return nil
}

const (
	// oneBeamSymbols is the most labels of a frame in NeMo's beam of one, which is greedy search.
	oneBeamSymbols = 5
	// maxExpansions bounds what one frame may expand, per hypothesis of the beam. NeMo has no bound; a network that
	// is certain of some label for ever would never end. Real frames need a few.
	maxExpansions = 64
)

// Beam is NeMo's strategy "beam" (rnnt_beam_decoding.py, default_beam_search): on every frame the best hypothesis is
// expanded until Size hypotheses that have left the frame by a blank beat all that have not. Equal sequences are not
// merged, and the result may hold more than Size. Scores include blanks, except for Size 1, which is [Greedy] with at
// most five labels a frame. Best first.
func Beam(ctx context.Context, net Network, f Frames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.check(), o.check()); err != nil {
		return nil, err
	}
	if o.Size == 1 {
		h, err := Greedy(ctx, net, f, GreedyOptions{
			MaxSymbols: oneBeamSymbols, Temperature: o.SoftmaxTemperature, Work: o.Work,
		})
		return []Hypothesis{h}, err
	}
	b := beam{
		scorer: newScorer(net, f, o.SoftmaxTemperature, o.Work), size: max(1, min(o.Size, net.Blank())),
	}
	kept := []*partial{{prefix: &prefix{}}}
	for t := range f.T {
		b.frame(t)
		var err error
		if kept, err = b.step(ctx, kept); err != nil {
			return nil, err
		}
		b.keepOnly(kept, b.used)
	}
	return finish(kept, o.ScoreNorm), nil
}

// partial is a hypothesis under way.
type partial struct {
	prefix *prefix
	trace  *trace
	score  float64
}

// extend returns p with one more label, emitted on frame t.
func (p *partial) extend(label, t int, logProb float64) *partial {
	return &partial{p.prefix.child(label), &trace{p.trace, t, logProb}, p.score + logProb}
}

// finish writes hypotheses out, best first.
func finish(ps []*partial, norm bool) []Hypothesis {
	hs := make([]Hypothesis, len(ps))
	for i, p := range ps {
		hs[i] = hypothesis(p.prefix, p.trace, p.score)
	}
	sortBest(hs, norm)
	return hs
}

// beam is the search of [Beam] under way.
type beam struct {
	*scorer
	pruner
	size int
	top  topK
	open openList
}

// step reads one frame: open hypotheses are still on it, kept ones have left it by a blank.
func (b *beam) step(ctx context.Context, before []*partial) ([]*partial, error) {
	b.open.clear()
	for _, p := range before {
		b.open.add(&expansion{from: p, score: p.score})
	}
	var kept []*partial
	for n := 0; n < b.most() && len(b.open.items) > 0; n++ {
		if err := checkpoint(ctx); err != nil {
			return nil, err
		}
		kept = b.expand(b.open.take(b.t), kept)
		if len(b.open.items) > 0 && above(kept, b.open.items[0].score) >= b.size {
			return better(kept, b.open.items[0].score), nil
		}
	}
	if kept = better(kept, negInf); len(kept) == 0 { // nothing but NaN and -Inf ahead
		return before, nil
	}
	return kept[max(0, len(kept)-b.size):], nil
}

// most is how many hypotheses a frame may expand.
func (b *beam) most() int {
	if b.work.Short() {
		b.size = 1
		return oneBeamSymbols + 1
	}
	return maxExpansions * b.size
}

// expand follows p over the blank into kept, and over its best labels into the open ones.
func (b *beam) expand(p *partial, kept []*partial) []*partial {
	blank := b.net.Blank()
	r := b.at(p.prefix)
	b.top.reset(max(1, min(b.size, blank-1)))
	b.top.labels(r, blank, 0, 0)
	for _, c := range b.top.best {
		b.open.add(&expansion{from: p, label: c.label, logProb: c.score, score: p.score + c.score, grows: true})
	}
	return append(kept, &partial{p.prefix, p.trace, p.score + r.logProb(blank)})
}

// above counts the hypotheses that beat score.
func above(ps []*partial, score float64) (n int) {
	for _, p := range ps {
		if p.score > score {
			n++
		}
	}
	return n
}

// better returns the hypotheses that beat score, the worst first.
func better(ps []*partial, score float64) []*partial {
	ps = slices.DeleteFunc(ps, func(p *partial) bool { return !(p.score > score) })
	slices.SortStableFunc(ps, func(a, b *partial) int { return cmp.Compare(a.score, b.score) })
	return ps
}
