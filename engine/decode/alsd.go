package decode

import (
	"cmp"
	"context"
	"slices"
)

// ALSD is NeMo's strategy "alsd", alignment-length synchronous decoding (Saon et al. 2020, DOI
// 10.1109/ICASSP40776.2020.9053040; rnnt_beam_decoding.py, align_length_sync_decoding). All hypotheses have taken the
// same number of steps, labels and blanks together; the best Size of a step go on, of which equal sequences are merged
// by adding their probabilities. A search takes at most (1+ALSDMaxTarget)·T steps. Frames are those where a label was
// emitted; NeMo reports the step instead, which is the frame and the number of labels before. Scores include blanks.
// Best first, at most Size.
func ALSD(ctx context.Context, net Network, f Frames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.check(), o.check(), o.checkALSD()); err != nil {
		return nil, err
	}
	s := alsd{net: net, frames: f, BeamOptions: o, scale: inverse(o.SoftmaxTemperature)}
	s.Size = max(1, min(o.Size, net.Blank()))
	open := []*partial{{prefix: &prefix{}}}
	for step := range f.T + int(o.ALSDMaxTarget*float64(f.T)) {
		if err := checkpoint(ctx); err != nil {
			return nil, err
		}
		next := s.step(step, open)
		if len(next) == 0 {
			break
		}
		open = next
		s.keepOnly(open, len(s.states))
	}
	if len(s.ended) == 0 {
		return finish(open, o.ScoreNorm), nil
	}
	hs := distinct(finish(s.ended, o.ScoreNorm))
	return hs[:min(s.Size, len(hs))], nil
}

// alsd is the search of [ALSD] under way.
type alsd struct {
	net    Network
	frames Frames
	BeamOptions
	pruner
	scale float64
	top   topK
	ended []*partial // those that have left the last frame

	states []*State  // of the hypotheses that are on a frame, n
	encs   []float32 // [n, J]
	logits []float32 // [n, V+1]
}

// step takes every hypothesis one label or blank further and keeps the best.
func (s *alsd) step(step int, open []*partial) []*partial {
	open = slices.DeleteFunc(open, func(p *partial) bool { return step-p.prefix.len >= s.frames.T })
	s.joint(step, open)
	blank := s.net.Blank()
	size := s.Size
	if s.Work.Short() {
		size = 1
	}
	s.top.reset(size)
	var own topK
	for i, p := range open {
		r := row{logits: s.logits[i*(blank+1) : (i+1)*(blank+1)], scale: s.scale}
		r.norm = logSumExp(r.logits, s.scale)
		leaves := p.score + r.logProb(blank)
		s.top.offer(choice{i, blank, leaves})
		if step-p.prefix.len == s.frames.T-1 && leaves > negInf {
			s.ended = append(s.ended, &partial{p.prefix, p.trace, leaves})
		}
		own.reset(size)
		own.labels(&r, blank, i, p.score)
		for _, c := range own.best {
			s.top.offer(c)
		}
	}
	var next []*partial
	for _, c := range s.top.best {
		next = merged(next, s.advance(open[c.slot], c, step))
	}
	return next
}

// joint evaluates every hypothesis on its own frame.
func (s *alsd) joint(step int, open []*partial) {
	s.states, s.encs = s.states[:0], s.encs[:0]
	for _, p := range open {
		s.states = append(s.states, p.prefix.predict(s.net))
		s.encs = append(s.encs, s.frames.At(step-p.prefix.len)...)
	}
	s.logits = slices.Grow(s.logits[:0], len(open)*(s.net.Blank()+1))[:len(open)*(s.net.Blank()+1)]
	jointAll(s.net, s.logits, s.encs, s.states)
	s.Work.spend(len(open))
}

// advance applies a choice to its hypothesis.
func (s *alsd) advance(p *partial, c choice, step int) *partial {
	if c.label == s.net.Blank() {
		return &partial{p.prefix, p.trace, c.score}
	}
	return p.extend(c.label, step-p.prefix.len, c.score-p.score)
}

// merged adds p, or its probability to the better hypothesis that holds the same sequence.
func merged(ps []*partial, p *partial) []*partial {
	for _, q := range ps {
		if q.prefix == p.prefix {
			q.score = logAdd(q.score, p.score)
			return ps
		}
	}
	return append(ps, p)
}

// distinct keeps the first of equal sequences.
func distinct(hs []Hypothesis) []Hypothesis {
	var out []Hypothesis
	for _, h := range hs {
		if !contains(out, h) {
			out = append(out, h)
		}
	}
	return out
}
