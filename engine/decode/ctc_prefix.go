package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// CTCPrefixOptions prune the prefix beam search; the names are pyctcdecode's. Infinite thresholds prune nothing.
type CTCPrefixOptions struct {
	Size          int     // beam_size, >= 1
	BeamPruneLogp float64 // prefixes that score this much below the best are dropped; negative
	TokenMinLogp  float64 // labels less likely than this on a frame are not tried there, except the best; negative
}

// CTCPrefixDefaults are those of pyctcdecode, with NeMo's beam of four.
func CTCPrefixDefaults() CTCPrefixOptions {
	return CTCPrefixOptions{Size: 4, BeamPruneLogp: -10, TokenMinLogp: -5}
}

// CTCPrefixBeam is the classic prefix beam search (Hannun et al. 2014, arXiv:1408.2873) without a
// language model: for every prefix it sums the alignments that end in a blank and those that end in its last label.
// The score is the log-probability of the sequence, exact if nothing is pruned. Frames are those of the likeliest
// alignment. Best first, at most Size.
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

// prefixPath stands for all alignments of a prefix that end one way: their sum, and the likeliest of them.
type prefixPath struct {
	sum, best float64
	trace     *emissionTrace // of the likeliest
}

// never is the path that no alignment takes.
var never = prefixPath{sum: math.Inf(-1), best: math.Inf(-1)}

// mergePath takes the alignments of q, extended by score, into p, and tells whether the likeliest is now one of these.
func (p *prefixPath) mergePath(q prefixPath, score float64) bool {
	p.sum = logAdd(p.sum, q.sum+score)
	if !(q.best+score > p.best) {
		return false
	}
	p.best = q.best + score
	return true
}

// ctcPrefix is a prefix under way with its alignments up to some frame.
type ctcPrefix struct {
	prefix       *prefixNode // nil until it survived its first frame
	seq          prefixSequence
	blank, label prefixPath // those that end in a blank, in the last label
}

func (p *ctcPrefix) totalScore() float64 { return logAdd(p.blank.sum, p.label.sum) }

func (p *ctcPrefix) bestPath() prefixPath {
	if p.blank.best >= p.label.best {
		return p.blank
	}
	return p.label
}

// prefixSequence names a prefix that need not have a node yet. The zero sequence is the empty one.
type prefixSequence struct {
	parent *prefixNode
	label  int
}

// prefixBeam is the search of [CTCPrefixBeam] under way.
type prefixBeam struct {
	LogProbs
	CTCPrefixOptions
	next []ctcPrefix            // what the beams become on the frame being read
	at   map[prefixSequence]int // where in next
	top  topK
}

// readFrame reads frame t.
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

// placeSequence returns the entry of a sequence among what comes next. It is valid until the next call.
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

// extendPrefix lets p take a label: a new token, or its last one held, for which only a blank between makes a new token.
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

// holdRun keeps the frame on which a run began and the best log-probability in it.
func holdRun(tr *emissionTrace, score float64) *emissionTrace {
	if tr == nil || tr.logProb >= score {
		return tr
	}
	return &emissionTrace{tr.prev, tr.frame, score}
}

// pruneBeam puts the best prefixes of the frame into beams, best first, and gives the new ones their nodes.
func (b *prefixBeam) pruneBeam(beams []ctcPrefix) []ctcPrefix {
	b.top.resetChoices(b.Size)
	for i := range b.next {
		b.top.offerChoice(beamChoice{slot: i, score: b.next[i].totalScore()})
	}
	if len(b.top.best) == 0 { // nothing but NaN and -Inf ahead
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
