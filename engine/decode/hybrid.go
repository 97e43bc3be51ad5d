package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// HybridOptions are the weights for rescoring with both heads of a hybrid model. NeMo has no equivalent.
type HybridOptions struct {
	AcousticScale     float64 // acoustic_scale: factor on the transducer's score; 1 is neutral
	CTCWeight         float64 // ctc_weight: factor on the CTC score
	BeamLengthPenalty float64 // beam_length_penalty: bonus per token
	// CTCCandidate adds the greedy CTC hypothesis to the n-best list, if CTCWeight is not 0. Its transducer score is
	// that of [RNNTForward] (T·U joints), and so are then those of all candidates, to be comparable.
	CTCCandidate bool
	// Work limits the search; nil = unlimited. When the lattices exceed the remaining work, the greedy CTC hypothesis
	// is left out and scores are those of the search.
	Work *WorkBudget
}

// HybridDefaults returns options that rank by the transducer alone.
func HybridDefaults() HybridOptions { return HybridOptions{AcousticScale: 1} }

// RankedCandidate is a hypothesis scored by both heads.
type RankedCandidate struct {
	Hypothesis
	RNNT    float64 // the transducer's score: Hypothesis.Score, or RNNTForward with CTCCandidate
	CTC     float64 // CTCForward of the tokens
	Total   float64
	FromCTC bool // it is the greedy CTC hypothesis
}

// RescoreHybrid rescores the n-best list of a transducer with both heads, best first, by
//
//	total(h) = acoustic_scale·rnnt(h) + ctc_weight·ctc(h) + beam_length_penalty·U
//
// where rnnt is the score of the search, ctc the log-probability of the tokens under the CTC head over all alignments,
// and U the number of tokens. A term with weight 0 is 0, even if ctc is -Inf. If ctc_weight and beam_length_penalty are
// both 0, the order of the search is kept, which may be by normalized score; sorting is stable. The zero lp means a
// model without a CTC head: every ctc is -Inf, and ctc_weight counts as 0.
func RescoreHybrid(
	ctx context.Context, net TransducerNetwork, f EncoderFrames, lp LogProbs, nbest []Hypothesis, o HybridOptions,
) ([]RankedCandidate, error) {
	if lp.isZero() {
		o.CTCWeight = 0
	} else if err := lp.checkShape(); err != nil {
		return nil, err
	}
	if err := cmp.Or(f.checkShape(), o.checkBounds()); err != nil {
		return nil, err
	}
	cs, lattice := o.listCandidates(f, lp, nbest)
	for i := range cs {
		if err := o.scoreCandidate(ctx, net, f, lp, &cs[i], lattice); err != nil {
			return nil, err
		}
	}
	if o.CTCWeight != 0 || o.BeamLengthPenalty != 0 {
		slices.SortStableFunc(cs, func(a, b RankedCandidate) int { return cmp.Compare(b.Total, a.Total) })
	}
	return cs, nil
}

// listCandidates returns the hypotheses of the search and, with CTCCandidate, the greedy CTC one. lattice is whether
// all are to be scored by [RNNTForward]; false when the remaining work does not allow it.
func (o HybridOptions) listCandidates(
	f EncoderFrames, lp LogProbs, nbest []Hypothesis,
) (cs []RankedCandidate, lattice bool) {
	cs = make([]RankedCandidate, 0, len(nbest)+1)
	for _, h := range nbest {
		cs = append(cs, RankedCandidate{Hypothesis: h, RNNT: h.Score})
	}
	if !o.CTCCandidate || o.CTCWeight == 0 {
		return cs, false
	}
	if h := CTCGreedy(lp); !containsTokens(nbest, h) {
		cs = append(cs, RankedCandidate{Hypothesis: h, FromCTC: true})
	}
	joints := latticeJoints(f, cs)
	if !o.Work.hasJoints(joints) {
		o.Work.noteRefused()
		return cs[:len(nbest)], false
	}
	o.Work.spendJoints(joints)
	return cs, true
}

// scoreCandidate sets the scores of both heads and their total. Without lattice the transducer's score stays that of
// the search.
func (o HybridOptions) scoreCandidate(
	ctx context.Context, net TransducerNetwork, f EncoderFrames, lp LogProbs, c *RankedCandidate, lattice bool,
) (err error) {
	if lattice {
		if c.RNNT, err = RNNTForward(ctx, net, f, c.Tokens); err != nil {
			return err
		}
	}
	c.CTC = math.Inf(-1)
	if !lp.isZero() {
		c.CTC = CTCForward(lp, c.Tokens)
	}
	c.Total = o.totalScore(*c)
	return nil
}

// isZero reports whether these are the log-probabilities of a model without a CTC head.
func (lp LogProbs) isZero() bool { return lp.T == 0 && lp.Labels == 0 }

// latticeJoints returns the number of joints for the lattices of all candidates.
func latticeJoints(f EncoderFrames, cs []RankedCandidate) int {
	n := 0
	for _, c := range cs {
		n += f.T * (len(c.Tokens) + 1)
	}
	return n
}

func (o HybridOptions) checkBounds() error {
	for _, v := range []float64{o.AcousticScale, o.CTCWeight, o.BeamLengthPenalty} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: acoustic_scale %g, ctc_weight %g, beam_length_penalty %g",
				ErrOption, o.AcousticScale, o.CTCWeight, o.BeamLengthPenalty)
		}
	}
	return nil
}

func (o HybridOptions) totalScore(c RankedCandidate) float64 {
	total := o.BeamLengthPenalty * float64(len(c.Tokens))
	if o.AcousticScale != 0 {
		total += o.AcousticScale * c.RNNT
	}
	if o.CTCWeight != 0 {
		total += o.CTCWeight * c.CTC
	}
	return total
}

// containsTokens reports whether one of the hypotheses has the tokens of h.
func containsTokens(hs []Hypothesis, h Hypothesis) bool {
	return slices.ContainsFunc(hs, func(o Hypothesis) bool { return slices.Equal(o.Tokens, h.Tokens) })
}
