package decode

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// GrammarOptions are the pruning options of the grammar search.
type GrammarOptions struct {
	Size       int     // beam size: prefixes kept per frame, >= 1
	PruneLogp  float64 // beam pruning threshold below the best prefix; negative
	MaxSymbols int     // maximum tokens per frame of a transducer, >= 1
}

// grammarDefaults returns options for which the readings of a short answer are scored exactly.
func grammarDefaults() GrammarOptions { return GrammarOptions{Size: 64, PruneLogp: -25, MaxSymbols: 4} }

func (o GrammarOptions) checkBounds() error {
	if o.Size < 1 || !(o.PruneLogp <= 0) || o.MaxSymbols < 1 {
		return fmt.Errorf("%w: size %d, prune %g, max_symbols %d", ErrOption, o.Size, o.PruneLogp, o.MaxSymbols)
	}
	return nil
}

// GrammarSentence is a sentence of a grammar with its log-probability under one head.
type GrammarSentence struct {
	Tokens []int
	Score  float64
}

// CTCGrammar is grammar-constrained CTC prefix beam search: the most likely sentences of the grammar, best first, at
// most Size. The score is the log-probability over all alignments, as in [CTCForward], exact without pruning. No bonus
// is added, so sentences are comparable with the result of an unconstrained search.
func CTCGrammar(ctx context.Context, lp LogProbs, g *TokenGrammar, o GrammarOptions) ([]GrammarSentence, error) {
	if err := cmp.Or(lp.checkShape(), o.checkBounds()); err != nil {
		return nil, err
	}
	b := grammarBeam{grammar: g, options: o}
	beam := []grammarPrefix{{prefix: &prefixNode{}, blank: 0, label: negInf}}
	for t := range lp.T {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		beam = b.readCTC(lp.At(t), lp.BlankID(), beam)
	}
	return b.wholeSentences(beam), nil
}

// RNNTGrammar is grammar-constrained time-synchronous beam search over a transducer, with at most MaxSymbols tokens per
// frame, for models without a CTC head. Best first, at most Size.
func RNNTGrammar(
	ctx context.Context, net TransducerNetwork, f EncoderFrames, g *TokenGrammar, o GrammarOptions,
) ([]GrammarSentence, error) {
	if err := cmp.Or(f.checkShape(), o.checkBounds()); err != nil {
		return nil, err
	}
	b := grammarBeam{grammar: g, options: o}
	scores := newScorer(net, f, 1, nil)
	beam := []grammarPrefix{{prefix: &prefixNode{}, blank: 0, label: negInf}}
	for t := range f.T {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		scores.moveToFrame(t)
		beam = b.readRNNT(scores, net.BlankID(), beam)
	}
	return b.wholeSentences(beam), nil
}

// grammarPrefix is a sentence prefix during the search, with the sums of its alignments that end in a blank and in its
// last token.
type grammarPrefix struct {
	prefix       *prefixNode
	state        int // state of the grammar
	blank, label float64
	total        float64 // of both, set by pruneBeam
	order        int     // of creation on the frame, set by pruneBeam
}

// grammarBeam is the state of one grammar search.
type grammarBeam struct {
	grammar *TokenGrammar
	options GrammarOptions
	next    []grammarPrefix
	at      map[*prefixNode]int // index in next
}

// placePrefix returns the entry of a prefix in next, creating it if needed; valid until the next call.
func (b *grammarBeam) placePrefix(p *prefixNode, state int) *grammarPrefix {
	i, ok := b.at[p]
	if !ok {
		i = len(b.next)
		b.at[p] = i
		b.next = append(b.next, grammarPrefix{prefix: p, state: state, blank: negInf, label: negInf})
	}
	return &b.next[i]
}

func (b *grammarBeam) readCTC(frame []float32, blank int, beam []grammarPrefix) []grammarPrefix {
	b.next, b.at = nil, map[*prefixNode]int{}
	for _, p := range beam {
		n := b.placePrefix(p.prefix, p.state)
		n.blank = logAdd(n.blank, p.total+float64(frame[blank]))
		last := blank
		if p.prefix.len > 0 {
			last = p.prefix.label
			n.label = logAdd(n.label, p.label+float64(frame[last]))
		}
		for _, a := range b.grammar.states[p.state].arcs {
			from := p.total
			if a.label == last { // only a blank in between makes a new token
				from = p.blank
			}
			if score := from + float64(frame[a.label]); score > negInf {
				c := b.placePrefix(p.prefix.childPrefix(a.label), a.to)
				c.label = logAdd(c.label, score)
			}
		}
	}
	return b.pruneBeam(b.next)
}

// readRNNT extends prefixes by up to MaxSymbols tokens on a frame, then by the blank that leaves it. A prefix's score
// is in blank.
func (b *grammarBeam) readRNNT(scores *jointScorer, blank int, beam []grammarPrefix) []grammarPrefix {
	through := grammarBeam{at: map[*prefixNode]int{}}
	for emitted := 0; len(beam) > 0; emitted++ {
		b.next, b.at = nil, map[*prefixNode]int{}
		for _, p := range beam {
			joint := scores.rowFor(p.prefix)
			n := through.placePrefix(p.prefix, p.state)
			n.blank = logAdd(n.blank, p.blank+joint.logProb(blank))
			if emitted == b.options.MaxSymbols {
				continue
			}
			for _, a := range b.grammar.states[p.state].arcs {
				c := b.placePrefix(p.prefix.childPrefix(a.label), a.to)
				c.blank = logAdd(c.blank, p.blank+joint.logProb(a.label))
			}
		}
		beam = b.pruneBeam(b.next)
	}
	return b.pruneBeam(through.next)
}

// pruneBeam keeps the best prefixes, best first; of equal ones the one that was created first.
func (b *grammarBeam) pruneBeam(all []grammarPrefix) []grammarPrefix {
	best := negInf
	for i := range all {
		p := &all[i]
		p.total, p.order = logAdd(p.blank, p.label), i
		if p.total > best { // false for NaN
			best = p.total
		}
	}
	least := best + b.options.PruneLogp
	all = slices.DeleteFunc(all, func(p grammarPrefix) bool { return !(p.total > negInf && p.total >= least) }) // NaN too
	slices.SortFunc(all, func(x, y grammarPrefix) int {
		return cmp.Or(cmp.Compare(y.total, x.total), x.order-y.order)
	})
	return all[:min(len(all), b.options.Size)]
}

// wholeSentences returns the prefixes that are complete sentences.
func (b *grammarBeam) wholeSentences(beam []grammarPrefix) []GrammarSentence {
	var out []GrammarSentence
	for _, p := range beam {
		if !b.grammar.states[p.state].final || math.IsInf(p.total, 0) {
			continue
		}
		tokens := make([]int, p.prefix.len)
		for at := p.prefix; at.parent != nil; at = at.parent {
			tokens[at.len-1] = at.label
		}
		out = append(out, GrammarSentence{Tokens: tokens, Score: p.total})
	}
	return out
}
