package decode

import (
	"cmp"
	"context"
	"slices"
)

// ALSDSearch is alignment-length synchronous beam decoding, NeMo's strategy "alsd" (Saon et al. 2020, DOI
// 10.1109/ICASSP40776.2020.9053040; rnnt_beam_decoding.py, align_length_sync_decoding). All hypotheses have taken the
// same number of steps (labels plus blanks); the best Size of a step continue, and equal sequences are merged by adding
// their probabilities. At most (1+ALSDMaxTarget)·T steps. Frames are those of the label emissions; NeMo reports the
// step instead, which is the frame plus the number of earlier labels. Scores include blanks. n-best, best first, at
// most Size.
func ALSDSearch(ctx context.Context, net TransducerNetwork, f EncoderFrames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.checkShape(), o.checkBounds(), o.checkALSD()); err != nil {
		return nil, err
	}
	s := alsdSearch{net: net, frames: f, BeamOptions: o, scale: inverseTemperature(o.SoftmaxTemperature)}
	s.Size = max(1, min(o.Size, net.BlankID()))
	open := []*partialHypothesis{{prefix: &prefixNode{}}}
	for step := range f.T + int(o.ALSDMaxTarget*float64(f.T)) {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		next := s.stepHypotheses(step, open)
		if len(next) == 0 {
			break
		}
		open = next
		s.keepOnly(open, len(s.states))
	}
	if len(s.ended) == 0 {
		return finishHypotheses(open, o.ScoreNorm), nil
	}
	hs := distinctSequences(finishHypotheses(s.ended, o.ScoreNorm))
	return hs[:min(s.Size, len(hs))], nil
}

// alsdSearch is the state of one [ALSDSearch].
type alsdSearch struct {
	net    TransducerNetwork
	frames EncoderFrames
	BeamOptions
	sequencePruner
	scale float64
	top   topK
	ended []*partialHypothesis // hypotheses past the last frame

	states []*PredictionState // of the active hypotheses, n
	encs   []float32          // [n, J]
	logits []float32          // [n, V+1]
}

// stepHypotheses extends every hypothesis by one label or blank and keeps the best.
func (s *alsdSearch) stepHypotheses(step int, open []*partialHypothesis) []*partialHypothesis {
	open = slices.DeleteFunc(open, func(p *partialHypothesis) bool { return step-p.prefix.len >= s.frames.T })
	s.scoreHypotheses(step, open)
	blank := s.net.BlankID()
	size := s.Size
	if s.Work.WasCut() {
		size = 1
	}
	s.top.resetChoices(size)
	var own topK
	for i, p := range open {
		r := jointRow{logits: s.logits[i*(blank+1) : (i+1)*(blank+1)], scale: s.scale}
		r.norm = logSumExp(r.logits, s.scale)
		leaves := p.score + r.logProb(blank)
		s.top.offerChoice(beamChoice{i, blank, leaves})
		if step-p.prefix.len == s.frames.T-1 && leaves > negInf {
			s.ended = append(s.ended, &partialHypothesis{p.prefix, p.trace, leaves})
		}
		own.resetChoices(size)
		own.offerLabels(&r, blank, i, p.score)
		for _, c := range own.best {
			s.top.offerChoice(c)
		}
	}
	var next []*partialHypothesis
	for _, c := range s.top.best {
		next = mergeHypothesis(next, s.advanceHypothesis(open[c.slot], c, step))
	}
	return next
}

// scoreHypotheses evaluates the joint of every hypothesis on its own frame.
func (s *alsdSearch) scoreHypotheses(step int, open []*partialHypothesis) {
	s.states, s.encs = s.states[:0], s.encs[:0]
	for _, p := range open {
		s.states = append(s.states, p.prefix.predictState(s.net))
		s.encs = append(s.encs, s.frames.At(step-p.prefix.len)...)
	}
	s.logits = slices.Grow(s.logits[:0], len(open)*(s.net.BlankID()+1))[:len(open)*(s.net.BlankID()+1)]
	jointAll(s.net, s.logits, s.encs, s.states)
	s.Work.spendJoints(len(open))
}

// advanceHypothesis applies a choice to its hypothesis.
func (s *alsdSearch) advanceHypothesis(p *partialHypothesis, c beamChoice, step int) *partialHypothesis {
	if c.label == s.net.BlankID() {
		return &partialHypothesis{p.prefix, p.trace, c.score}
	}
	return p.extendLabel(c.label, step-p.prefix.len, c.score-p.score)
}

// mergeHypothesis appends p, or adds its probability to the hypothesis with the same sequence.
func mergeHypothesis(ps []*partialHypothesis, p *partialHypothesis) []*partialHypothesis {
	for _, q := range ps {
		if q.prefix == p.prefix {
			q.score = logAdd(q.score, p.score)
			return ps
		}
	}
	return append(ps, p)
}

// distinctSequences removes duplicate sequences, keeping the first.
func distinctSequences(hs []Hypothesis) []Hypothesis {
	var out []Hypothesis
	for _, h := range hs {
		if !containsTokens(out, h) {
			out = append(out, h)
		}
	}
	return out
}
