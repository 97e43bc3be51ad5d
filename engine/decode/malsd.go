package decode

import (
	"cmp"
	"context"
	"slices"
)

// MALSDSearch is modified alignment-length synchronous decoding, NeMo's recommended strategy "malsd_batch"
// (rnnt_malsd_batched_computer.py; Saon et al. 2020, DOI 10.1109/ICASSP40776.2020.9053040). All hypotheses have taken
// the same number of steps (labels plus blanks), so equal sequences are on the same frame and are merged by adding
// their probabilities. At most MaxSymbols labels per frame; a merged hypothesis takes its count from the better one.
// Scores include blanks, without temperature. n-best, best first, at most Size. Uses [BatchJoint] if the network
// implements it.
func MALSDSearch(ctx context.Context, net TransducerNetwork, f EncoderFrames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.checkShape(), o.checkBounds()); err != nil {
		return nil, err
	}
	m := malsdSearch{net: net, frames: f, size: o.Size, max: o.MaxSymbols, work: o.Work}
	slots := []malsdSlot{{prefix: &prefixNode{}}}
	for slices.ContainsFunc(slots, func(s malsdSlot) bool { return s.t < f.T }) {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		next := m.stepSlots(slots)
		if len(next) == 0 { // only NaN and -Inf remain
			break
		}
		slots = next
		m.forgetSequences(slots)
	}
	hs := make([]Hypothesis, len(slots))
	for i, s := range slots {
		hs[i] = newHypothesis(s.prefix, s.trace, s.score)
	}
	sortBest(hs, o.ScoreNorm)
	return hs, nil
}

// malsdSlot is a hypothesis during [MALSDSearch].
type malsdSlot struct {
	prefix  *prefixNode
	trace   *emissionTrace
	score   float64
	t       int // next frame; T at the end
	emitted int // labels emitted on frame t
}

// malsdSearch is the state of one [MALSDSearch].
type malsdSearch struct {
	net    TransducerNetwork
	frames EncoderFrames
	size   int
	max    int
	work   *WorkBudget
	sequencePruner

	states   []*PredictionState // of the unfinished slots, n
	encs     []float32          // [n, J]
	logits   []float32          // [n, V+1]
	own, top topK               // best choices of one slot, of all slots
	spare    []malsdSlot
}

// stepSlots extends every slot by one label or blank and keeps the best.
func (m *malsdSearch) stepSlots(slots []malsdSlot) []malsdSlot {
	m.scoreSlots(slots)
	m.top.resetChoices(m.size)
	blank, active := m.net.BlankID(), 0
	for i, s := range slots {
		if s.t >= m.frames.T {
			m.top.offerChoice(beamChoice{i, blank, s.score})
			continue
		}
		r := jointRow{logits: m.logits[active*(blank+1) : (active+1)*(blank+1)], scale: 1}
		r.norm = logSumExp(r.logits, 1)
		active++
		if m.max > 0 && s.emitted >= m.max {
			m.top.offerChoice(beamChoice{i, blank, s.score + r.logProb(blank)})
			continue
		}
		m.own.resetChoices(m.size)
		m.own.offerLabels(&r, blank+1, i, s.score)
		for _, c := range m.own.best {
			m.top.offerChoice(c)
		}
	}
	next := m.spare[:0]
	for _, c := range m.top.best {
		next = m.recombineSlot(next, m.advanceSlot(slots[c.slot], c))
	}
	m.spare = slots
	return next
}

// forgetSequences frees sequences that no slot uses.
func (m *malsdSearch) forgetSequences(slots []malsdSlot) {
	if !m.shouldPrune(len(m.states)) {
		return
	}
	for _, s := range slots {
		m.holdPrefix(s.prefix)
	}
	m.pruneUnheld()
}

// scoreSlots evaluates the joint of every unfinished slot on its own frame.
func (m *malsdSearch) scoreSlots(slots []malsdSlot) {
	m.states, m.encs = m.states[:0], m.encs[:0]
	for _, s := range slots {
		if s.t < m.frames.T {
			m.states = append(m.states, s.prefix.predictState(m.net))
			m.encs = append(m.encs, m.frames.At(s.t)...)
		}
	}
	if n := len(m.states) * (m.net.BlankID() + 1); cap(m.logits) < n {
		m.logits = make([]float32, n)
	}
	m.logits = m.logits[:len(m.states)*(m.net.BlankID()+1)]
	jointAll(m.net, m.logits, m.encs, m.states)
	if !m.work.spendJoints(len(m.states)) {
		m.size, m.max = 1, 1
	}
}

// advanceSlot applies a choice to its slot.
func (m *malsdSearch) advanceSlot(s malsdSlot, c beamChoice) malsdSlot {
	switch {
	case s.t >= m.frames.T:
	case c.label == m.net.BlankID():
		s.t, s.emitted = s.t+1, 0
	default:
		s.prefix, s.trace = s.prefix.childPrefix(c.label), &emissionTrace{s.trace, s.t, c.score - s.score}
		s.emitted++
	}
	s.score = c.score
	return s
}

// recombineSlot appends s, or adds its probability to the slot with the same sequence.
func (m *malsdSearch) recombineSlot(slots []malsdSlot, s malsdSlot) []malsdSlot {
	for i := range slots {
		if slots[i].prefix == s.prefix {
			slots[i].score = logAdd(slots[i].score, s.score)
			return slots
		}
	}
	return append(slots, s)
}

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
