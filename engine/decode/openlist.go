package decode

import "container/heap"

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
