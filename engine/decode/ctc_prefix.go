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
	if err := cmp.Or(lp.check(), o.check()); err != nil {
		return nil, err
	}
	b := prefixBeam{LogProbs: lp, CTCPrefixOptions: o, at: map[sequence]int{}}
	beams := []ctcPrefix{{prefix: &prefix{}, blank: path{}, label: never}}
	for t := range lp.T {
		if err := checkpoint(ctx); err != nil {
			return nil, err
		}
		beams = b.step(t, beams)
	}
	hs := make([]Hypothesis, len(beams))
	for i, p := range beams {
		hs[i] = hypothesis(p.prefix, p.likeliest().trace, p.total())
	}
	return hs, nil
}

func (o CTCPrefixOptions) check() error {
	if o.Size < 1 || !(o.BeamPruneLogp <= 0) || !(o.TokenMinLogp <= 0) {
		return fmt.Errorf("%w: beam_size %d, beam_prune_logp %g, token_min_logp %g",
			ErrOption, o.Size, o.BeamPruneLogp, o.TokenMinLogp)
	}
	return nil
}

// path stands for all alignments of a prefix that end one way: their sum, and the likeliest of them.
type path struct {
	sum, best float64
	trace     *trace // of the likeliest
}

// never is the path that no alignment takes.
var never = path{sum: math.Inf(-1), best: math.Inf(-1)}

// add takes the alignments of q, extended by score, into p, and tells whether the likeliest is now one of these.
func (p *path) add(q path, score float64) bool {
	p.sum = logAdd(p.sum, q.sum+score)
	if !(q.best+score > p.best) {
		return false
	}
	p.best = q.best + score
	return true
}

// ctcPrefix is a prefix under way with its alignments up to some frame.
type ctcPrefix struct {
	prefix       *prefix // nil until it survived its first frame
	seq          sequence
	blank, label path // those that end in a blank, in the last label
}

func (p *ctcPrefix) total() float64 { return logAdd(p.blank.sum, p.label.sum) }

func (p *ctcPrefix) likeliest() path {
	if p.blank.best >= p.label.best {
		return p.blank
	}
	return p.label
}

// sequence names a prefix that need not have a node yet. The zero sequence is the empty one.
type sequence struct {
	parent *prefix
	label  int
}

// prefixBeam is the search of [CTCPrefixBeam] under way.
type prefixBeam struct {
	LogProbs
	CTCPrefixOptions
	next []ctcPrefix      // what the beams become on the frame being read
	at   map[sequence]int // where in next
	top  topK
}

// step reads frame t.
func (b *prefixBeam) step(t int, beams []ctcPrefix) []ctcPrefix {
	clear(b.at)
	b.next = b.next[:0]
	frame := b.At(t)
	likely := argmax(frame)
	for label, v := range frame {
		score := float64(v)
		if score < b.TokenMinLogp && label != likely {
			continue
		}
		for i := range beams {
			if label == b.Blank() {
				b.extendBlank(&beams[i], score)
			} else {
				b.extend(&beams[i], t, label, score)
			}
		}
	}
	return b.prune(beams)
}

// place returns the entry of a sequence among what comes next. It is valid until the next call.
func (b *prefixBeam) place(p *prefix, seq sequence) *ctcPrefix {
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
	n := b.place(p.prefix, p.seq)
	for _, q := range []path{p.blank, p.label} {
		if n.blank.add(q, score) {
			n.blank.trace = q.trace
		}
	}
}

// extend lets p take a label: a new token, or its last one held, for which only a blank between makes a new token.
func (b *prefixBeam) extend(p *ctcPrefix, t, label int, score float64) {
	held := p.prefix.len > 0 && label == p.prefix.label
	if held {
		if n := b.place(p.prefix, p.seq); n.label.add(p.label, score) {
			n.label.trace = hold(p.label.trace, score)
		}
	}
	n := b.place(nil, sequence{p.prefix, label})
	if n.label.add(p.blank, score) {
		n.label.trace = &trace{p.blank.trace, t, score}
	}
	if !held && n.label.add(p.label, score) {
		n.label.trace = &trace{p.label.trace, t, score}
	}
}

// hold keeps the frame on which a run began and the best log-probability in it.
func hold(tr *trace, score float64) *trace {
	if tr == nil || tr.logProb >= score {
		return tr
	}
	return &trace{tr.prev, tr.frame, score}
}

// prune puts the best prefixes of the frame into beams, best first, and gives the new ones their nodes.
func (b *prefixBeam) prune(beams []ctcPrefix) []ctcPrefix {
	b.top.reset(b.Size)
	for i := range b.next {
		b.top.offer(choice{slot: i, score: b.next[i].total()})
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
			p.prefix = p.seq.parent.child(p.seq.label)
		}
		beams = append(beams, p)
	}
	return beams
}
