package decode

import "slices"

// pruneAfter is how many joints are computed between two prunings: each made one prediction at most, of some kilobytes.
const pruneAfter = 4096

// sequencePruner lets go of the sequences that no hypothesis holds any more, now and then: with their predictions they would
// take more memory than all else in a long search. Those met a moment ago stay, since they are often met again.
type sequencePruner struct {
	round  int
	held   []*prefixNode // sequences that are held in this round, and their beginnings
	joints int           // since the last round
}

// isDue counts joints and says whether it is time to hold what is needed and prune.
func (r *sequencePruner) isDue(joints int) bool {
	r.joints += joints
	return r.joints >= pruneAfter
}

// holdPrefix keeps a sequence and its beginnings in this round.
func (r *sequencePruner) holdPrefix(p *prefixNode) {
	for ; p != nil && p.held != r.round+1; p = p.parent {
		p.held = r.round + 1
		r.held = append(r.held, p)
	}
}

// pruneUnheld forgets all that is not held, and begins the next round.
func (r *sequencePruner) pruneUnheld() {
	for _, p := range r.held {
		p.children = slices.DeleteFunc(p.children, func(c *prefixNode) bool { return c.held != r.round+1 })
	}
	r.round, r.held, r.joints = r.round+1, r.held[:0], 0
}

// keepOnly forgets all sequences but those of the hypotheses, if so many joints more make that due.
func (r *sequencePruner) keepOnly(ps []*partialHypothesis, joints int) {
	if !r.isDue(joints) {
		return
	}
	for _, p := range ps {
		r.holdPrefix(p.prefix)
	}
	r.pruneUnheld()
}
