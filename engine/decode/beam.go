package decode

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"
)

// BeamOptions are NeMo's decoding.beam parameters of [BeamSearch], [MAESSearch], [ALSDSearch], [TSDSearch] and
// [MALSDSearch]; each field names the searches that use it.
type BeamOptions struct {
	Size      int  // beam_size, >= 1
	ScoreNorm bool // score_norm: final ranking by score/(U+1)
	// SoftmaxTemperature (softmax_temperature) divides the logits; not used by MALSD. 0 is 1.
	SoftmaxTemperature float64

	NumSteps       int     // maes_num_steps: MAES, expansions per frame, >= 1
	PrefixAlpha    int     // maes_prefix_alpha: MAES, maximum length difference for prefix merging
	ExpansionGamma float64 // maes_expansion_gamma: MAES, expansion threshold below the best score
	ExpansionBeta  int     // maes_expansion_beta: MAES, candidates beyond Size
	MaxSymbols     int     // max_symbols: MALSD, maximum labels per frame; 0 is no limit
	TSDMaxSymbols  int     // tsd_max_sym_exp: TSD, maximum labels per frame plus one, >= 1
	ALSDMaxTarget  float64 // alsd_max_target_len: ALSD, maximum labels per frame on average, > 0

	Work *WorkBudget // work limit of the search; nil = unlimited
}

// BeamDefaults returns NeMo's defaults.
func BeamDefaults() BeamOptions {
	return BeamOptions{
		Size: 4, ScoreNorm: true, SoftmaxTemperature: 1,
		NumSteps: 2, PrefixAlpha: 1, ExpansionGamma: 2.3, ExpansionBeta: 2, MaxSymbols: 10,
		TSDMaxSymbols: 50, ALSDMaxTarget: 2,
	}
}

func (o BeamOptions) checkBounds() error {
	switch {
	case o.Size < 1:
		return fmt.Errorf("%w: beam_size %d", ErrOption, o.Size)
	case !(o.SoftmaxTemperature >= 0):
		return fmt.Errorf("%w: softmax_temperature %g", ErrOption, o.SoftmaxTemperature)
	case o.MaxSymbols < 0:
		return fmt.Errorf("%w: max_symbols %d", ErrOption, o.MaxSymbols)
	}
	return nil
}

func (o BeamOptions) checkTSD() error {
	if o.TSDMaxSymbols < 1 {
		return fmt.Errorf("%w: tsd_max_sym_exp %d", ErrOption, o.TSDMaxSymbols)
	}
	return nil
}

func (o BeamOptions) checkALSD() error {
	if !(o.ALSDMaxTarget > 0 && o.ALSDMaxTarget <= 100) {
		return fmt.Errorf("%w: alsd_max_target_len %g", ErrOption, o.ALSDMaxTarget)
	}
	return nil
}

const (
	// oneBeamSymbols is the maximum labels per frame of NeMo's beam of one, which is greedy search.
	oneBeamSymbols = 5
	// maxExpansions limits the expansions per frame and hypothesis. NeMo has no limit, so that a network that always
	// prefers a label never terminates. Real frames need a few.
	maxExpansions = 64
)

// BeamSearch is NeMo's beam search, strategy "beam" (rnnt_beam_decoding.py, default_beam_search): on every frame the
// best hypothesis is expanded until Size hypotheses that have left the frame by a blank beat all others. Equal
// sequences are not merged, and the result may hold more than Size. Scores include blanks, except for Size 1, which is
// [GreedySearch] with at most five labels per frame. n-best, best first.
func BeamSearch(ctx context.Context, net TransducerNetwork, f EncoderFrames, o BeamOptions) ([]Hypothesis, error) {
	if err := cmp.Or(f.checkShape(), o.checkBounds()); err != nil {
		return nil, err
	}
	if o.Size == 1 {
		h, err := GreedySearch(ctx, net, f, GreedyOptions{
			MaxSymbols: oneBeamSymbols, Temperature: o.SoftmaxTemperature, Work: o.Work,
		})
		return []Hypothesis{h}, err
	}
	b := beamSearch{
		jointScorer: newScorer(net, f, o.SoftmaxTemperature, o.Work), size: max(1, min(o.Size, net.BlankID())),
	}
	kept := []*partialHypothesis{{prefix: &prefixNode{}}}
	for t := range f.T {
		b.moveToFrame(t)
		var err error
		if kept, err = b.readFrame(ctx, kept); err != nil {
			return nil, err
		}
		b.keepOnly(kept, b.used)
	}
	return finishHypotheses(kept, o.ScoreNorm), nil
}

// partialHypothesis is a hypothesis during a search.
type partialHypothesis struct {
	prefix *prefixNode
	trace  *emissionTrace
	score  float64
}

// extendLabel returns p extended by a label emitted on frame t.
func (p *partialHypothesis) extendLabel(label, t int, logProb float64) *partialHypothesis {
	return &partialHypothesis{p.prefix.childPrefix(label), &emissionTrace{p.trace, t, logProb}, p.score + logProb}
}

// finishHypotheses converts partial hypotheses into the n-best list, best first.
func finishHypotheses(ps []*partialHypothesis, norm bool) []Hypothesis {
	hs := make([]Hypothesis, len(ps))
	for i, p := range ps {
		hs[i] = newHypothesis(p.prefix, p.trace, p.score)
	}
	sortBest(hs, norm)
	return hs
}

// beamSearch is the state of one [BeamSearch].
type beamSearch struct {
	*jointScorer
	sequencePruner
	size int
	top  topK
	open openList
}

// readFrame processes one frame: open hypotheses are still on it, kept ones have left it by a blank.
func (b *beamSearch) readFrame(ctx context.Context, before []*partialHypothesis) ([]*partialHypothesis, error) {
	b.open.clearList()
	for _, p := range before {
		b.open.addExpansion(&openExpansion{from: p, score: p.score})
	}
	var kept []*partialHypothesis
	for n := 0; n < b.maxExpansions() && len(b.open.items) > 0; n++ {
		if err := yieldTurn(ctx); err != nil {
			return nil, err
		}
		kept = b.expandHypothesis(b.open.takeBest(b.t), kept)
		if len(b.open.items) > 0 && countAbove(kept, b.open.items[0].score) >= b.size {
			return selectBetter(kept, b.open.items[0].score), nil
		}
	}
	if kept = selectBetter(kept, negInf); len(kept) == 0 { // only NaN and -Inf remain
		return before, nil
	}
	return kept[max(0, len(kept)-b.size):], nil
}

// maxExpansions returns how many hypotheses a frame may expand.
func (b *beamSearch) maxExpansions() int {
	if b.work.WasCut() {
		b.size = 1
		return oneBeamSymbols + 1
	}
	return maxExpansions * b.size
}

// expandHypothesis extends p by the blank into kept, and by its best labels into the open list.
func (b *beamSearch) expandHypothesis(p *partialHypothesis, kept []*partialHypothesis) []*partialHypothesis {
	blank := b.net.BlankID()
	r := b.rowFor(p.prefix)
	b.top.resetChoices(max(1, min(b.size, blank-1)))
	b.top.offerLabels(r, blank, 0, 0)
	for _, c := range b.top.best {
		b.open.addExpansion(&openExpansion{from: p, label: c.label, logProb: c.score, score: p.score + c.score, grows: true})
	}
	return append(kept, &partialHypothesis{p.prefix, p.trace, p.score + r.logProb(blank)})
}

// countAbove counts the hypotheses that score above score.
func countAbove(ps []*partialHypothesis, score float64) (n int) {
	for _, p := range ps {
		if p.score > score {
			n++
		}
	}
	return n
}

// selectBetter returns the hypotheses that score above score, worst first.
func selectBetter(ps []*partialHypothesis, score float64) []*partialHypothesis {
	ps = slices.DeleteFunc(ps, func(p *partialHypothesis) bool { return !(p.score > score) })
	slices.SortStableFunc(ps, func(a, b *partialHypothesis) int { return cmp.Compare(a.score, b.score) })
	return ps
}

// openExpansion is an open hypothesis of a beam: an existing one, or a label extension that is materialized when it is
// taken.
type openExpansion struct {
	from    *partialHypothesis
	label   int
	logProb float64 // of the label
	grows   bool
	score   float64
	order   int // insertion order, which breaks ties
}

// openList is a priority queue of open hypotheses, best first. It implements [heap.Interface].
type openList struct {
	items []*openExpansion
	came  int
}

func (l *openList) addExpansion(e *openExpansion) {
	e.order = l.came
	l.came++
	heap.Push(l, e)
}

// takeBest removes the best one and materializes it on frame t.
func (l *openList) takeBest(t int) *partialHypothesis {
	e, _ := heap.Pop(l).(*openExpansion)
	if !e.grows {
		return e.from
	}
	return e.from.extendLabel(e.label, t, e.logProb)
}

func (l *openList) clearList() {
	clear(l.items)
	l.items, l.came = l.items[:0], 0
}

// Len implements [heap.Interface].
func (l *openList) Len() int { return len(l.items) }

// Less implements [heap.Interface].
func (l *openList) Less(i, j int) bool {
	a, b := l.items[i], l.items[j]
	return a.score > b.score || a.score == b.score && a.order < b.order
}

// Swap implements [heap.Interface].
func (l *openList) Swap(i, j int) { l.items[i], l.items[j] = l.items[j], l.items[i] }

// Push implements [heap.Interface].
func (l *openList) Push(x any) {
	if e, ok := x.(*openExpansion); ok {
		l.items = append(l.items, e)
	}
}

// Pop implements [heap.Interface].
func (l *openList) Pop() any {
	last := len(l.items) - 1
	e := l.items[last]
	l.items[last] = nil
	l.items = l.items[:last]
	return e
}

// beamChoice is a beam candidate: a slot extended by a label, and the resulting score.
type beamChoice struct {
	slot, label int
	score       float64
}

// topK is beam pruning: it keeps the k >= 1 best choices, best first, stable.
type topK struct {
	k    int
	best []beamChoice
}

func (b *topK) resetChoices(k int) { b.k, b.best = k, b.best[:0] }

// offerChoice inserts c if it is among the k best so far. Scores of -Inf or NaN are ignored.
func (b *topK) offerChoice(c beamChoice) {
	if !(c.score > negInf) {
		return
	}
	if len(b.best) == b.k {
		if c.score <= b.best[b.k-1].score {
			return
		}
		b.best = b.best[:b.k-1]
	}
	b.best = append(b.best, c)
	for i := len(b.best) - 1; i > 0 && b.best[i-1].score < c.score; i-- {
		b.best[i-1], b.best[i] = b.best[i], b.best[i-1]
	}
}

// offerLabels offers the first n labels of a joint, with base added to their log-probabilities.
func (b *topK) offerLabels(r *jointRow, n, slot int, base float64) {
	floor := negInf
	for label, z := range r.logits[:n] {
		if score := float64(z)*r.scale - r.norm + base; score > floor {
			b.offerChoice(beamChoice{slot, label, score})
			if len(b.best) == b.k {
				floor = b.best[b.k-1].score
			}
		}
	}
}

// pruneAfter is the number of joints between two prunings: each created at most one prediction, of some kilobytes.
const pruneAfter = 4096

// sequencePruner periodically frees the sequences that no hypothesis uses any more (mark and sweep), whose predictions
// would dominate the memory of a long search. Recent ones stay, since they are often reused.
type sequencePruner struct {
	round  int
	held   []*prefixNode // marked sequences of this round, with their prefixes
	joints int           // since the last round
}

// shouldPrune counts joints and reports whether to mark and prune now.
func (r *sequencePruner) shouldPrune(joints int) bool {
	r.joints += joints
	return r.joints >= pruneAfter
}

// holdPrefix marks a sequence and its prefixes in this round.
func (r *sequencePruner) holdPrefix(p *prefixNode) {
	for ; p != nil && p.held != r.round+1; p = p.parent {
		p.held = r.round + 1
		r.held = append(r.held, p)
	}
}

// pruneUnheld frees all unmarked sequences, and begins the next round.
func (r *sequencePruner) pruneUnheld() {
	for _, p := range r.held {
		p.children = slices.DeleteFunc(p.children, func(c *prefixNode) bool { return c.held != r.round+1 })
	}
	r.round, r.held, r.joints = r.round+1, r.held[:0], 0
}

// keepOnly frees all sequences but those of the hypotheses, if the count of joints makes that due.
func (r *sequencePruner) keepOnly(ps []*partialHypothesis, joints int) {
	if !r.shouldPrune(joints) {
		return
	}
	for _, p := range ps {
		r.holdPrefix(p.prefix)
	}
	r.pruneUnheld()
}
