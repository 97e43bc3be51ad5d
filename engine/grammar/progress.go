package grammar

import (
	"maps"
	"slices"
)

// Completeness says how far words are on the way to a sentence of a grammar (semantic endpointing).
type Completeness int

// From nothing of an answer to all of it.
const (
	Foreign    Completeness = iota // no sentence begins with them
	Beginning                      // only longer sentences do
	Extensible                     // they are a sentence, and a longer one with another meaning begins with them
	Complete                       // they are a sentence, and at most a word of courtesy may follow
)

// courtesyRule is the rule of words that may follow an answer and change nothing.
const courtesyRule = "courtesy"

// AnswerProgress follows words through a grammar. It is safe for concurrent use.
type AnswerProgress struct {
	fold     func(word string) string
	final    int
	empty    [][]int            // targets of epsilon arcs, by state
	next     []map[string][]int // targets by folded word, by state
	courtesy map[string]bool
}

// FollowAnswers compiles the grammar's root rule. fold gives words that are equal but for their spelling the same form.
func (g *RuleGrammar) FollowAnswers(fold func(word string) string) (*AnswerProgress, error) {
	a, err := g.CompileRule("")
	if err != nil {
		return nil, err
	}
	p := &AnswerProgress{
		fold: fold, final: a.Final, empty: make([][]int, a.States), next: make([]map[string][]int, a.States),
		courtesy: map[string]bool{},
	}
	for _, arc := range a.Arcs {
		if arc.Word == "" {
			p.empty[arc.From] = append(p.empty[arc.From], arc.To)
			continue
		}
		if p.next[arc.From] == nil {
			p.next[arc.From] = map[string][]int{}
		}
		word := fold(arc.Word)
		p.next[arc.From][word] = append(p.next[arc.From][word], arc.To)
	}
	polite, err := g.CompileRule(courtesyRule)
	if err != nil {
		return p, nil //nolint:nilerr // the grammar knows no courtesy
	}
	for _, arc := range polite.Arcs {
		p.courtesy[fold(arc.Word)] = true
	}
	return p, nil
}

// Measure returns how complete words are as an answer. No words at all are [Foreign], and any to the zero value.
func (p *AnswerProgress) Measure(words []string) Completeness {
	if len(words) == 0 || len(p.next) == 0 {
		return Foreign
	}
	states := p.closure([]int{0})
	for _, w := range words {
		word := p.fold(w)
		var reached []int
		for at := range states {
			reached = append(reached, p.next[at][word]...)
		}
		if len(reached) == 0 {
			return Foreign
		}
		states = p.closure(reached)
	}
	if !states[p.final] {
		return Beginning
	}
	for at := range states {
		if slices.ContainsFunc(slices.Collect(maps.Keys(p.next[at])), func(w string) bool { return !p.courtesy[w] }) {
			return Extensible
		}
	}
	return Complete
}

// closure returns the states with those that epsilon arcs lead to.
func (p *AnswerProgress) closure(from []int) map[int]bool {
	all := map[int]bool{}
	for len(from) > 0 {
		at := from[len(from)-1]
		from = from[:len(from)-1]
		if !all[at] {
			all[at] = true
			from = append(from, p.empty[at]...)
		}
	}
	return all
}
