package decode

import "slices"

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
