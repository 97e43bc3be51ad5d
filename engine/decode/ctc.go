package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// CTCGreedy takes the best label of every frame (first of equals), merges repeats and drops blanks. The score sums the
// log-probabilities of all frames that are not blank, repeats included (NeMo ctc_greedy_decoding.py). The matrix must
// have at least T*Labels values.
func CTCGreedy(lp LogProbs) Hypothesis {
	var h Hypothesis
	for _, r := range bestPathRuns(lp) {
		h.Tokens = append(h.Tokens, r.label)
		h.Frames = append(h.Frames, r.first)
		h.LogProbs = append(h.LogProbs, r.best)
		h.Score += r.sum
	}
	return h
}

// labelRun is one label held over consecutive frames of the best path.
type labelRun struct {
	label, first, last int
	sum, best          float64 // log-probabilities over its frames: their sum, the largest
}

// bestPathRuns returns the best path of a CTC head without its blanks.
func bestPathRuns(lp LogProbs) []labelRun {
	var rs []labelRun
	before := lp.BlankID()
	for t := range lp.T {
		frame := lp.At(t)
		label := argmaxIndex(frame)
		if label != lp.BlankID() {
			if label != before {
				rs = append(rs, labelRun{label: label, first: t, best: math.Inf(-1)})
			}
			r := &rs[len(rs)-1]
			score := float64(frame[label])
			r.last, r.sum, r.best = t, r.sum+score, max(r.best, score)
		}
		before = label
	}
	return rs
}

// CTCForward returns the log-probability of a token sequence, summed over all its alignments: the forward recursion of
// Graves et al. 2006 over the labels with blanks between and around them. It is -Inf where the sequence does not fit
// into the frames or holds an id that is not a label. The matrix must have at least T*Labels values.
func CTCForward(lp LogProbs, tokens []int) float64 {
	for _, label := range tokens {
		if label < 0 || label >= lp.BlankID() {
			return negInf
		}
	}
	states := 2*len(tokens) + 1 // blank, token 0, blank, token 1, …, blank
	alpha, next := make([]float64, states), make([]float64, states)
	for s := range alpha {
		alpha[s] = negInf
	}
	alpha[0] = 0 // before the first frame, which may enter state 0 or 1
	for t := range lp.T {
		frame := lp.At(t)
		for s := range next {
			sum, label := alpha[s], lp.BlankID()
			if s > 0 {
				sum = logAdd(sum, alpha[s-1])
			}
			if s%2 == 1 {
				if t == 0 && s > 1 {
					sum = negInf
				}
				label = tokens[s/2]
				if s > 1 && label != tokens[s/2-1] {
					sum = logAdd(sum, alpha[s-2])
				}
			}
			next[s] = sum + float64(frame[label])
		}
		alpha, next = next, alpha
	}
	if states == 1 || lp.T == 0 {
		return alpha[states-1]
	}
	return logAdd(alpha[states-1], alpha[states-2])
}

// CTCAlign is forced alignment: it returns the first and last frame of each token's run, [U] each, in the most likely
// CTC alignment (Viterbi over the labels with optional blanks between and around them). False when the sequence does
// not fit into the frames or holds an id that is not a label.
func CTCAlign(lp LogProbs, tokens []int) (first, last []int, ok bool) {
	for _, id := range tokens {
		if id < 0 || id >= lp.BlankID() {
			return nil, nil, false
		}
	}
	if len(tokens) == 0 || lp.T == 0 {
		return nil, nil, len(tokens) == 0
	}
	steps, end, ok := viterbiSteps(lp, tokens)
	if !ok {
		return nil, nil, false
	}
	first, last = traceRuns(steps, end, lp.T, len(tokens))
	return first, last, true
}

// viterbiSteps finds the most likely path through the states blank, token 0, blank, token 1, …, blank. steps,
// [T, states], is the number of states back to the best predecessor; end is the path's last state. False when the
// tokens do not fit into the frames.
func viterbiSteps(lp LogProbs, tokens []int) (steps []int8, end int, ok bool) {
	states := 2*len(tokens) + 1
	label := func(s int) int {
		if s%2 == 1 {
			return tokens[s/2]
		}
		return lp.BlankID()
	}
	steps = make([]int8, lp.T*states)
	alpha, next := make([]float64, states), make([]float64, states)
	for s := range alpha {
		alpha[s] = negInf
		if s < 2 {
			alpha[s] = float64(lp.At(0)[label(s)])
		}
	}
	for t := 1; t < lp.T; t++ {
		for s := range next {
			best, step := alpha[s], 0
			if s > 0 && alpha[s-1] > best {
				best, step = alpha[s-1], 1
			}
			if s%2 == 1 && s > 1 && label(s) != label(s-2) && alpha[s-2] > best {
				best, step = alpha[s-2], 2
			}
			next[s], steps[t*states+s] = best+float64(lp.At(t)[label(s)]), int8(step)
		}
		alpha, next = next, alpha
	}
	end = states - 1
	if alpha[states-2] > alpha[end] {
		end = states - 2
	}
	return steps, end, !math.IsInf(alpha[end], -1)
}

// traceRuns follows the path of viterbiSteps back from its last state, and returns the first and last frame of each
// token's run.
func traceRuns(steps []int8, end, frames, tokens int) (first, last []int) {
	states := 2*tokens + 1
	first, last = make([]int, tokens), make([]int, tokens)
	for i := range last {
		last[i] = -1
	}
	s := end
	for t := frames - 1; t >= 0; t-- {
		if s%2 == 1 {
			first[s/2] = t
			last[s/2] = max(last[s/2], t)
		}
		s -= int(steps[t*states+s])
	}
	return first, last
}

// CTCPrefixOptions are the pruning options of the prefix beam search, named as in pyctcdecode. Infinite thresholds
// prune nothing.
type CTCPrefixOptions struct {
	Size          int     // beam_size, >= 1
	BeamPruneLogp float64 // beam pruning threshold below the best prefix; negative
	TokenMinLogp  float64 // label pruning: less likely labels are not tried on a frame, except the best; negative
}

// CTCPrefixDefaults returns pyctcdecode's defaults, with NeMo's beam of four.
func CTCPrefixDefaults() CTCPrefixOptions {
	return CTCPrefixOptions{Size: 4, BeamPruneLogp: -10, TokenMinLogp: -5}
}

// CTCPrefixBeam is CTC prefix beam search (Hannun et al. 2014, arXiv:1408.2873) without a language model: for every
// prefix it sums the alignments that end in a blank and those that end in its last label. The score is the
// log-probability of the sequence, exact without pruning. Frames are those of the most likely alignment. n-best, best
// first, at most Size.
func CTCPrefixBeam(ctx context.Context, lp LogProbs, o CTCPrefixOptions) ([]Hypothesis, error) {
	if err := cmp.Or(lp.checkShape(), o.checkBounds()); err != nil {
		return nil, err
	}
	b := prefixBeam{LogProbs: lp, CTCPrefixOptions: o, at: map[prefixSequence]int{}}
	beams := []ctcPrefix{{prefix: &prefixNode{}, blank: prefixPath{}, label: never}}
	for t := range lp.T {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		beams = b.readFrame(t, beams)
	}
	hs := make([]Hypothesis, len(beams))
	for i, p := range beams {
		hs[i] = newHypothesis(p.prefix, p.bestPath().trace, p.totalScore())
	}
	return hs, nil
}

func (o CTCPrefixOptions) checkBounds() error {
	if o.Size < 1 || !(o.BeamPruneLogp <= 0) || !(o.TokenMinLogp <= 0) {
		return fmt.Errorf("%w: beam_size %d, beam_prune_logp %g, token_min_logp %g",
			ErrOption, o.Size, o.BeamPruneLogp, o.TokenMinLogp)
	}
	return nil
}

// prefixPath summarizes all alignments of a prefix with the same ending: their sum, and the most likely one.
type prefixPath struct {
	sum, best float64
	trace     *emissionTrace // of the most likely alignment
}

// never is the path without alignments.
var never = prefixPath{sum: math.Inf(-1), best: math.Inf(-1)}

// mergePath adds the alignments of q, extended by score, to p, and reports whether the most likely one is now one of
// these.
func (p *prefixPath) mergePath(q prefixPath, score float64) bool {
	p.sum = logAdd(p.sum, q.sum+score)
	if !(q.best+score > p.best) {
		return false
	}
	p.best = q.best + score
	return true
}

// ctcPrefix is a prefix during the search with its alignments up to some frame.
type ctcPrefix struct {
	prefix       *prefixNode // nil until it survived its first frame
	seq          prefixSequence
	blank, label prefixPath // alignments that end in a blank, in the last label
}

func (p *ctcPrefix) totalScore() float64 { return logAdd(p.blank.sum, p.label.sum) }

func (p *ctcPrefix) bestPath() prefixPath {
	if p.blank.best >= p.label.best {
		return p.blank
	}
	return p.label
}

// prefixSequence identifies a prefix that may have no node yet. The zero value is the empty sequence.
type prefixSequence struct {
	parent *prefixNode
	label  int
}

// prefixBeam is the state of one [CTCPrefixBeam].
type prefixBeam struct {
	LogProbs
	CTCPrefixOptions
	next []ctcPrefix            // the beam after the current frame
	at   map[prefixSequence]int // index in next
	top  topK
}

// readFrame processes frame t.
func (b *prefixBeam) readFrame(t int, beams []ctcPrefix) []ctcPrefix {
	clear(b.at)
	b.next = b.next[:0]
	frame := b.At(t)
	likely := argmaxIndex(frame)
	for label, v := range frame {
		score := float64(v)
		if score < b.TokenMinLogp && label != likely {
			continue
		}
		for i := range beams {
			if label == b.BlankID() {
				b.extendBlank(&beams[i], score)
			} else {
				b.extendPrefix(&beams[i], t, label, score)
			}
		}
	}
	return b.pruneBeam(beams)
}

// placeSequence returns the entry of a sequence in next, creating it if needed. It is valid until the next call.
func (b *prefixBeam) placeSequence(p *prefixNode, seq prefixSequence) *ctcPrefix {
	i, ok := b.at[seq]
	if !ok {
		i = len(b.next)
		b.at[seq], b.next = i, append(b.next, ctcPrefix{seq: seq, blank: never, label: never})
	}
	if p != nil {
		b.next[i].prefix = p
	}
	return &b.next[i]
}

func (b *prefixBeam) extendBlank(p *ctcPrefix, score float64) {
	n := b.placeSequence(p.prefix, p.seq)
	for _, q := range []prefixPath{p.blank, p.label} {
		if n.blank.mergePath(q, score) {
			n.blank.trace = q.trace
		}
	}
}

// extendPrefix extends p by a label: a new token, or its last label held, which only a blank in between makes a new
// token.
func (b *prefixBeam) extendPrefix(p *ctcPrefix, t, label int, score float64) {
	held := p.prefix.len > 0 && label == p.prefix.label
	if held {
		if n := b.placeSequence(p.prefix, p.seq); n.label.mergePath(p.label, score) {
			n.label.trace = holdRun(p.label.trace, score)
		}
	}
	n := b.placeSequence(nil, prefixSequence{p.prefix, label})
	if n.label.mergePath(p.blank, score) {
		n.label.trace = &emissionTrace{p.blank.trace, t, score}
	}
	if !held && n.label.mergePath(p.label, score) {
		n.label.trace = &emissionTrace{p.label.trace, t, score}
	}
}

// holdRun keeps the first frame of a run and its best log-probability.
func holdRun(tr *emissionTrace, score float64) *emissionTrace {
	if tr == nil || tr.logProb >= score {
		return tr
	}
	return &emissionTrace{tr.prev, tr.frame, score}
}

// pruneBeam keeps the best prefixes of the frame in beams, best first, and creates nodes for new ones (beam pruning).
func (b *prefixBeam) pruneBeam(beams []ctcPrefix) []ctcPrefix {
	b.top.resetChoices(b.Size)
	for i := range b.next {
		b.top.offerChoice(beamChoice{slot: i, score: b.next[i].totalScore()})
	}
	if len(b.top.best) == 0 { // only NaN and -Inf remain
		return beams
	}
	beams = beams[:0]
	for _, c := range b.top.best {
		if c.score < b.top.best[0].score+b.BeamPruneLogp {
			break
		}
		p := b.next[c.slot]
		if p.prefix == nil {
			p.prefix = p.seq.parent.childPrefix(p.seq.label)
		}
		beams = append(beams, p)
	}
	return beams
}
