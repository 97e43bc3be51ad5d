package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

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
