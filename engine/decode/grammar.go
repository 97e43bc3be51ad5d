package decode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Epsilon is the label of a grammar arc that consumes no token.
const Epsilon = -1

const (
	// MaxGrammarStates is the maximum number of states after determinization; larger grammars are refused.
	MaxGrammarStates = 50_000
	// maxMembers limits the work and memory of the determinization: total members of all subsets.
	maxMembers = 1_000_000
)

// GrammarArc is a transition of a grammar between two states, by a token or [Epsilon].
type GrammarArc struct{ From, To, Label int }

// TokenGrammar is a deterministic finite-state acceptor (DFA) over tokens: the sentences that constrained decoding
// allows. It is immutable, and searches may share it.
type TokenGrammar struct {
	states []grammarState // the first is the start
}

type grammarState struct {
	arcs  []grammarArc // sorted by label
	final bool
}

type grammarArc struct{ label, to int }

// NewGrammar determinizes an acceptor (NFA) with states 0 to states-1, 0 being the start. ErrOption for an arc with an
// unknown state or token, or for more than [MaxGrammarStates] states.
func NewGrammar(blank, states int, arcs []GrammarArc, finals []int) (*TokenGrammar, error) {
	d := grammarDeterminizer{
		outgoing: make([][]GrammarArc, max(states, 1)), final: make([]bool, max(states, 1)), at: map[string]int{},
	}
	for _, a := range arcs {
		if a.From < 0 || a.From >= states || a.To < 0 || a.To >= states || a.Label < Epsilon || a.Label >= blank {
			return nil, fmt.Errorf("%w: arc %d to %d by token %d of %d", ErrOption, a.From, a.To, a.Label, blank)
		}
		d.outgoing[a.From] = append(d.outgoing[a.From], a)
	}
	for _, f := range finals {
		if f < 0 || f >= states {
			return nil, fmt.Errorf("%w: final state %d of %d", ErrOption, f, states)
		}
		d.final[f] = true
	}
	return d.buildGrammar()
}

// AcceptsTokens reports whether the tokens are a sentence of the grammar.
func (g *TokenGrammar) AcceptsTokens(tokens []int) bool {
	state, ok := g.followTokens(tokens)
	return ok && state.final
}

// AcceptsPrefix reports whether the tokens begin a sentence of the grammar that is longer.
func (g *TokenGrammar) AcceptsPrefix(tokens []int) bool {
	state, ok := g.followTokens(tokens)
	return ok && len(state.arcs) > 0
}

// followTokens returns the state that the tokens lead to from the start; false without one.
func (g *TokenGrammar) followTokens(tokens []int) (grammarState, bool) {
	at := 0
	for _, t := range tokens {
		if at = g.followArc(at, t); at < 0 {
			return grammarState{}, false
		}
	}
	return g.states[at], true
}

// followArc returns the target state of a token, -1 without one.
func (g *TokenGrammar) followArc(state, label int) int {
	arcs := g.states[state].arcs
	i, ok := slices.BinarySearchFunc(arcs, label, func(a grammarArc, label int) int { return a.label - label })
	if !ok {
		return -1
	}
	return arcs[i].to
}

// grammarDeterminizer is the state of the subset construction (Rabin and Scott 1959).
type grammarDeterminizer struct {
	outgoing [][]GrammarArc
	final    []bool
	at       map[string]int // state of a subset, by its key
	subsets  [][]int
	members  int // total of all subsets
	grammar  TokenGrammar
}

func (d *grammarDeterminizer) buildGrammar() (*TokenGrammar, error) {
	if _, err := d.stateOf([]int{0}); err != nil {
		return nil, err
	}
	for i := 0; i < len(d.subsets); i++ {
		next := map[int][]int{}
		for _, s := range d.subsets[i] {
			for _, a := range d.outgoing[s] {
				if a.Label != Epsilon {
					next[a.Label] = append(next[a.Label], a.To)
				}
			}
		}
		for _, label := range sortedKeys(next) {
			to, err := d.stateOf(next[label])
			if err != nil {
				return nil, err
			}
			d.grammar.states[i].arcs = append(d.grammar.states[i].arcs, grammarArc{label, to})
		}
	}
	return &d.grammar, nil
}

func sortedKeys(m map[int][]int) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// stateOf returns the deterministic state of a subset, creating it if needed.
func (d *grammarDeterminizer) stateOf(members []int) (int, error) {
	subset := d.epsilonClosure(members)
	name := subsetName(subset)
	if i, ok := d.at[name]; ok {
		return i, nil
	}
	if d.members += len(subset); len(d.subsets) == MaxGrammarStates || d.members > maxMembers {
		return 0, fmt.Errorf("%w: the grammar has more than %d states, or too many ways to read the same words; "+
			"make it smaller", ErrOption, MaxGrammarStates)
	}
	i := len(d.subsets)
	d.at[name] = i
	d.subsets = append(d.subsets, subset)
	final := slices.ContainsFunc(subset, func(s int) bool { return d.final[s] })
	d.grammar.states = append(d.grammar.states, grammarState{final: final})
	return i, nil
}

// epsilonClosure adds the states reachable by epsilon arcs; the result is sorted.
func (d *grammarDeterminizer) epsilonClosure(members []int) []int {
	seen := map[int]bool{}
	var out []int
	todo := slices.Clone(members)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		out = append(out, s)
		for _, a := range d.outgoing[s] {
			if a.Label == Epsilon {
				todo = append(todo, a.To)
			}
		}
	}
	slices.Sort(out)
	return out
}

func subsetName(subset []int) string {
	var b strings.Builder
	for _, s := range subset {
		b.WriteString(strconv.Itoa(s))
		b.WriteByte(' ')
	}
	return b.String()
}
