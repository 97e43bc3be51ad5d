package decode

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
