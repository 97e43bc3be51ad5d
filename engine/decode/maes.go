package decode

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// MAES is NeMo's strategy "maes", modified adaptive expansion search (Kim et al. 2020, IEEE Xplore 9250505;
// rnnt_beam_decoding.py, modified_adaptive_expansion_search). A frame is left after at most NumSteps labels, and
// only expansions within ExpansionGamma of a hypothesis' best are followed. Scores include blanks. Best first, at
// most Size.
func MAES(ctx context.Context, net Network, f Frames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.check(), o.check(), o.checkMAES()); err != nil {
		return nil, err
	}
	m := maes{scorer: newScorer(net, f, o.SoftmaxTemperature, o.Work), BeamOptions: o}
	m.Size = max(1, min(o.Size, net.Blank()))
	kept := []*partial{{prefix: &prefix{}}}
	for t := range f.T {
		if err := checkpoint(ctx); err != nil {
			return nil, err
		}
		m.frame(t)
		kept = m.step(kept)
		m.keepOnly(kept, m.used)
		if m.work.Short() {
			m.Size = 1
		}
	}
	return finish(kept, o.ScoreNorm), nil
}

func (o BeamOptions) checkMAES() error {
	if o.NumSteps < 1 || o.PrefixAlpha < 0 || o.ExpansionBeta < 0 || !(o.ExpansionGamma >= 0) {
		return fmt.Errorf("%w: maes_num_steps %d, maes_prefix_alpha %d, maes_expansion_gamma %g, maes_expansion_beta %d",
			ErrOption, o.NumSteps, o.PrefixAlpha, o.ExpansionGamma, o.ExpansionBeta)
	}
	return nil
}

// maes is the search of [MAES] under way.
type maes struct {
	*scorer
	BeamOptions
	pruner
	top topK
}

// step reads one frame: it returns the hypotheses that have left it.
func (m *maes) step(kept []*partial) []*partial {
	slices.SortStableFunc(kept, func(a, b *partial) int { return b.prefix.len - a.prefix.len })
	m.mergePrefixes(kept)
	present := make(map[*prefix]bool, len(kept))
	for _, p := range kept {
		present[p.prefix] = true
	}
	open, left := kept, []*partial(nil)
	for range m.NumSteps {
		var grown []*partial
		left, grown = m.expand(open, left, present)
		open = grown
		if len(open) == 0 {
			break
		}
	}
	blank := m.net.Blank()
	for _, p := range open { // out of steps: the blank is forced
		left = append(left, &partial{p.prefix, p.trace, p.score + m.at(p.prefix).logProb(blank)})
	}
	if len(left) == 0 { // nothing but NaN and -Inf ahead
		return kept
	}
	slices.SortStableFunc(left, func(a, b *partial) int { return cmp.Compare(b.score, a.score) })
	return left[:min(m.Size, len(left))]
}

// mergePrefixes adds to each hypothesis the ways that lead to it on this frame from another one that is its prefix, at
// most PrefixAlpha labels shorter. The longest come first, so that a shorter one still has its own score.
func (m *maes) mergePrefixes(ps []*partial) {
	for j, long := range ps {
		for _, short := range ps[j+1:] {
			n := short.prefix.len
			if more := long.prefix.len - n; more == 0 || more > m.PrefixAlpha || long.prefix.ancestor(n) != short.prefix {
				continue
			}
			score := short.score
			for p := long.prefix; p.len > n; p = p.parent {
				score += m.at(p.parent).logProb(p.label)
			}
			long.score = logAdd(long.score, score)
		}
	}
}

// expand follows the open hypotheses over their likely labels: those that take the blank join left, those that take
// another are returned as grown, unless the frame began with that very sequence.
func (m *maes) expand(open, left []*partial, present map[*prefix]bool) (l, grown []*partial) {
	blank := m.net.Blank()
	for _, p := range open {
		for _, c := range m.expansions(p) {
			if c.label == blank {
				left = append(left, &partial{p.prefix, p.trace, c.score})
				continue
			}
			if seq, ok := p.prefix.known(c.label); ok && present[seq] {
				continue
			}
			grown = append(grown, p.extend(c.label, m.t, c.score-p.score))
		}
	}
	return left, grown
}

// expansions returns the best labels of p, the blank among them, with what they would score, the worst first.
func (m *maes) expansions(p *partial) []choice {
	blank := m.net.Blank()
	m.top.reset(min(m.Size+m.ExpansionBeta, blank+1))
	m.top.labels(m.at(p.prefix), blank+1, 0, p.score)
	cs := m.top.best
	for len(cs) > 0 && cs[len(cs)-1].score < cs[0].score-m.ExpansionGamma {
		cs = cs[:len(cs)-1]
	}
	slices.Reverse(cs)
	return cs
}
