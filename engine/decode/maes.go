package decode

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// MAESSearch is modified adaptive expansion search, NeMo's strategy "maes" (Kim et al. 2020, IEEE Xplore 9250505;
// rnnt_beam_decoding.py, modified_adaptive_expansion_search). A frame is left after at most NumSteps labels, and only
// expansions within ExpansionGamma of a hypothesis' best are followed. Scores include blanks. n-best, best first, at
// most Size.
func MAESSearch(ctx context.Context, net TransducerNetwork, f EncoderFrames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.checkShape(), o.checkBounds(), o.checkMAES()); err != nil {
		return nil, err
	}
	m := maesSearch{jointScorer: newScorer(net, f, o.SoftmaxTemperature, o.Work), BeamOptions: o}
	m.Size = max(1, min(o.Size, net.BlankID()))
	kept := []*partialHypothesis{{prefix: &prefixNode{}}}
	for t := range f.T {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		m.moveToFrame(t)
		kept = m.readFrame(kept)
		m.keepOnly(kept, m.used)
		if m.work.WasCut() {
			m.Size = 1
		}
	}
	return finishHypotheses(kept, o.ScoreNorm), nil
}

func (o BeamOptions) checkMAES() error {
	if o.NumSteps < 1 || o.PrefixAlpha < 0 || o.ExpansionBeta < 0 || !(o.ExpansionGamma >= 0) {
		return fmt.Errorf("%w: maes_num_steps %d, maes_prefix_alpha %d, maes_expansion_gamma %g, maes_expansion_beta %d",
			ErrOption, o.NumSteps, o.PrefixAlpha, o.ExpansionGamma, o.ExpansionBeta)
	}
	return nil
}

// maesSearch is the state of one [MAESSearch].
type maesSearch struct {
	*jointScorer
	BeamOptions
	sequencePruner
	top topK
}

// readFrame processes one frame and returns the hypotheses that have left it.
func (m *maesSearch) readFrame(kept []*partialHypothesis) []*partialHypothesis {
	slices.SortStableFunc(kept, func(a, b *partialHypothesis) int { return b.prefix.len - a.prefix.len })
	m.mergePrefixes(kept)
	present := make(map[*prefixNode]bool, len(kept))
	for _, p := range kept {
		present[p.prefix] = true
	}
	open, left := kept, []*partialHypothesis(nil)
	for range m.NumSteps {
		var grown []*partialHypothesis
		left, grown = m.expandOpen(open, left, present)
		open = grown
		if len(open) == 0 {
			break
		}
	}
	blank := m.net.BlankID()
	for _, p := range open { // out of steps: force the blank
		left = append(left, &partialHypothesis{p.prefix, p.trace, p.score + m.rowFor(p.prefix).logProb(blank)})
	}
	if len(left) == 0 { // only NaN and -Inf remain
		return kept
	}
	slices.SortStableFunc(left, func(a, b *partialHypothesis) int { return cmp.Compare(b.score, a.score) })
	return left[:min(m.Size, len(left))]
}

// mergePrefixes is prefix search: it adds to each hypothesis the paths that reach it on this frame from another
// hypothesis that is its prefix, at most PrefixAlpha labels shorter. Longest first, so that shorter ones still have
// their original score.
func (m *maesSearch) mergePrefixes(ps []*partialHypothesis) {
	for j, long := range ps {
		for _, short := range ps[j+1:] {
			n := short.prefix.len
			if more := long.prefix.len - n; more == 0 || more > m.PrefixAlpha || long.prefix.ancestorPrefix(n) != short.prefix {
				continue
			}
			score := short.score
			for p := long.prefix; p.len > n; p = p.parent {
				score += m.rowFor(p.parent).logProb(p.label)
			}
			long.score = logAdd(long.score, score)
		}
	}
}

// expandOpen expands the open hypotheses by their best labels: by the blank into left, by another label into grown,
// unless the sequence was present at the start of the frame.
func (m *maesSearch) expandOpen(
	open, left []*partialHypothesis, present map[*prefixNode]bool,
) (l, grown []*partialHypothesis) {
	blank := m.net.BlankID()
	for _, p := range open {
		for _, c := range m.expandLabels(p) {
			if c.label == blank {
				left = append(left, &partialHypothesis{p.prefix, p.trace, c.score})
				continue
			}
			if seq, ok := p.prefix.knownChild(c.label); ok && present[seq] {
				continue
			}
			grown = append(grown, p.extendLabel(c.label, m.t, c.score-p.score))
		}
	}
	return left, grown
}

// expandLabels returns the best labels of p, including the blank, with their scores, worst first.
func (m *maesSearch) expandLabels(p *partialHypothesis) []beamChoice {
	blank := m.net.BlankID()
	m.top.resetChoices(min(m.Size+m.ExpansionBeta, blank+1))
	m.top.offerLabels(m.rowFor(p.prefix), blank+1, 0, p.score)
	cs := m.top.best
	for len(cs) > 0 && cs[len(cs)-1].score < cs[0].score-m.ExpansionGamma {
		cs = cs[:len(cs)-1]
	}
	slices.Reverse(cs)
	return cs
}
