package decode

import (
	"cmp"
	"context"
	"slices"
)

// MALSD is NeMo's strategy "malsd_batch", the modified alignment-length synchronous search that NeMo recommends
// (rnnt_malsd_batched_computer.py; Saon et al. 2020, DOI 10.1109/ICASSP40776.2020.9053040). All hypotheses have taken
// the same number of steps, labels and blanks together, so equal sequences stand on the same frame and are merged by
// adding their probabilities. A frame emits at most MaxSymbols labels; a merged hypothesis counts as its better half.
// Scores include blanks and use no temperature. Best first, at most Size. Uses [BatchJoint] where the network has it.
func MALSD(ctx context.Context, net Network, f Frames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.check(), o.check()); err != nil {
		return nil, err
	}
	m := malsd{net: net, frames: f, size: o.Size, max: o.MaxSymbols, work: o.Work}
	slots := []slot{{prefix: &prefix{}}}
	for slices.ContainsFunc(slots, func(s slot) bool { return s.t < f.T }) {
		if err := checkpoint(ctx); err != nil {
			return nil, err
		}
		next := m.step(slots)
		if len(next) == 0 { // nothing but NaN and -Inf ahead
			break
		}
		slots = next
		m.forget(slots)
	}
	hs := make([]Hypothesis, len(slots))
	for i, s := range slots {
		hs[i] = hypothesis(s.prefix, s.trace, s.score)
	}
	sortBest(hs, o.ScoreNorm)
	return hs, nil
}

// slot is a hypothesis of [MALSD] under way.
type slot struct {
	prefix  *prefix
	trace   *trace
	score   float64
	t       int // frame that it reads next; T when it is through
	emitted int // labels that it emitted on frame t
}

// malsd is the search of [MALSD] under way.
type malsd struct {
	net    Network
	frames Frames
	size   int
	max    int
	work   *Work
	pruner

	states   []*State  // of the slots that are not through, n
	encs     []float32 // [n, J]
	logits   []float32 // [n, V+1]
	own, top topK      // best choices of one slot, of all
	spare    []slot
}

// step takes every slot one label or blank further and keeps the best.
func (m *malsd) step(slots []slot) []slot {
	m.joint(slots)
	m.top.reset(m.size)
	blank, active := m.net.Blank(), 0
	for i, s := range slots {
		if s.t >= m.frames.T {
			m.top.offer(choice{i, blank, s.score})
			continue
		}
		r := row{logits: m.logits[active*(blank+1) : (active+1)*(blank+1)], scale: 1}
		r.norm = logSumExp(r.logits, 1)
		active++
		if m.max > 0 && s.emitted >= m.max {
			m.top.offer(choice{i, blank, s.score + r.logProb(blank)})
			continue
		}
		m.own.reset(m.size)
		m.own.labels(&r, blank+1, i, s.score)
		for _, c := range m.own.best {
			m.top.offer(c)
		}
	}
	next := m.spare[:0]
	for _, c := range m.top.best {
		next = m.recombine(next, m.advance(slots[c.slot], c))
	}
	m.spare = slots
	return next
}

// forget lets go of sequences that no slot holds.
func (m *malsd) forget(slots []slot) {
	if !m.due(len(m.states)) {
		return
	}
	for _, s := range slots {
		m.hold(s.prefix)
	}
	m.prune()
}

// joint evaluates every slot that is not through on its own frame.
func (m *malsd) joint(slots []slot) {
	m.states, m.encs = m.states[:0], m.encs[:0]
	for _, s := range slots {
		if s.t < m.frames.T {
			m.states = append(m.states, s.prefix.predict(m.net))
			m.encs = append(m.encs, m.frames.At(s.t)...)
		}
	}
	if n := len(m.states) * (m.net.Blank() + 1); cap(m.logits) < n {
		m.logits = make([]float32, n)
	}
	m.logits = m.logits[:len(m.states)*(m.net.Blank()+1)]
	jointAll(m.net, m.logits, m.encs, m.states)
	if !m.work.spend(len(m.states)) {
		m.size, m.max = 1, 1
	}
}

// advance applies a choice to its slot.
func (m *malsd) advance(s slot, c choice) slot {
	switch {
	case s.t >= m.frames.T:
	case c.label == m.net.Blank():
		s.t, s.emitted = s.t+1, 0
	default:
		s.prefix, s.trace = s.prefix.child(c.label), &trace{s.trace, s.t, c.score - s.score}
		s.emitted++
	}
	s.score = c.score
	return s
}

// recombine adds s, or its probability to the better slot that holds the same sequence.
func (m *malsd) recombine(slots []slot, s slot) []slot {
	for i := range slots {
		if slots[i].prefix == s.prefix {
			slots[i].score = logAdd(slots[i].score, s.score)
			return slots
		}
	}
	return append(slots, s)
}
