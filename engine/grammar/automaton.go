package grammar

import (
	"fmt"
	"maps"
	"strings"
	"unicode"
)

const (
	maxArcs  = 60_000  // of a grammar once every rule is expanded
	maxParts = 200_000 // expansions visited: some add no arcs
)

// WordArc leads from one state to another by a word; an empty Word is an epsilon arc.
type WordArc struct {
	From, To int
	Word     string
}

// WordAutomaton is a rule as a finite-state acceptor over words. State 0 is the start.
type WordAutomaton struct {
	States int
	Final  int
	Arcs   []WordArc
}

// WithPhrases returns the grammar with a rule added or replaced: a choice of phrases. Without phrases the rule matches
// nothing.
func (g *RuleGrammar) WithPhrases(rule string, phrases []string) *RuleGrammar {
	n := expansionNode{kind: choiceNode}
	for _, p := range phrases {
		if w := wordSequence(p); len(w.children) > 0 {
			n.children = append(n.children, w)
		}
	}
	return g.withRule(rule, n)
}

func (g *RuleGrammar) withRule(rule string, n expansionNode) *RuleGrammar {
	out := &RuleGrammar{root: g.root, public: g.public, rules: maps.Clone(g.rules)}
	out.rules[rule] = n
	return out
}

// RootedAt returns the grammar with that rule as its root.
func (g *RuleGrammar) RootedAt(rule string) *RuleGrammar {
	return &RuleGrammar{root: rule, rules: g.rules}
}

// RootRule returns the rule that the grammar names as its root, or its first public one; empty without either.
func (g *RuleGrammar) RootRule() string {
	if g.root != "" {
		return g.root
	}
	return g.public
}

// CompileRule compiles a rule to an automaton; the root rule if the name is empty.
func (g *RuleGrammar) CompileRule(rule string) (WordAutomaton, error) {
	if rule == "" {
		rule = g.RootRule()
	}
	if rule == "" {
		return WordAutomaton{}, fmt.Errorf("%w: no rule is the root; write \"root $name;\" or make one public", ErrGrammar)
	}
	b := automatonBuilder{grammar: g, open: map[string]bool{}}
	start := b.newState()
	end := b.newState()
	if err := b.expandRule(rule, start, end); err != nil {
		return WordAutomaton{}, err
	}
	return WordAutomaton{States: b.states, Final: end, Arcs: b.arcs}, nil
}

// automatonBuilder builds the automaton by Thompson's construction (1968).
type automatonBuilder struct {
	grammar *RuleGrammar
	states  int
	parts   int
	arcs    []WordArc
	open    map[string]bool // rules that are being expanded
}

func (b *automatonBuilder) newState() int {
	b.states++
	return b.states - 1
}

func (b *automatonBuilder) addArc(from, to int, word string) error {
	if len(b.arcs) == maxArcs {
		return errLarge
	}
	b.arcs = append(b.arcs, WordArc{from, to, word})
	return nil
}

var errLarge = fmt.Errorf("%w: more than %d words once every rule is expanded; make it smaller", ErrGrammar, maxArcs)

func (b *automatonBuilder) expandRule(name string, from, to int) error {
	switch name {
	case "NULL":
		return b.addArc(from, to, "")
	case "VOID":
		return nil
	}
	n, ok := b.grammar.rules[name]
	if !ok {
		n, ok = Answers().rules[name]
	}
	switch {
	case !ok:
		return fmt.Errorf("%w: rule $%s is not defined", ErrGrammar, name)
	case b.open[name]:
		return fmt.Errorf("%w: rule $%s contains itself; write a repeat, as in $%s<1->", ErrGrammar, name, name)
	}
	b.open[name] = true
	defer delete(b.open, name)
	return b.expandNode(n, from, to)
}

// expandNode adds the arcs of an expansion between two states.
func (b *automatonBuilder) expandNode(n expansionNode, from, to int) error {
	if b.parts++; b.parts > maxParts {
		return errLarge
	}
	switch n.kind {
	case wordNode:
		return b.addArc(from, to, n.text)
	case ruleNode:
		return b.expandRule(n.text, from, to)
	case choiceNode:
		for _, c := range n.children {
			if err := b.expandNode(c, from, to); err != nil {
				return err
			}
		}
		return nil
	case repeatNode:
		return b.expandRepeat(n, from, to)
	}
	for i, c := range n.children {
		next := to
		if i < len(n.children)-1 {
			next = b.newState()
		}
		if err := b.expandNode(c, from, next); err != nil {
			return err
		}
		from = next
	}
	if len(n.children) == 0 {
		return b.addArc(from, to, "")
	}
	return nil
}

// expandRepeat adds a part least times in sequence, then its optional repetitions.
func (b *automatonBuilder) expandRepeat(n expansionNode, from, to int) error {
	part := n.children[0]
	at := b.newState() // a new state, so that a loop stays inside the part
	if err := b.addArc(from, at, ""); err != nil {
		return err
	}
	for range n.least {
		next := b.newState()
		if err := b.expandNode(part, at, next); err != nil {
			return err
		}
		at = next
	}
	if n.most < 0 {
		loop := b.newState()
		if err := b.addArc(at, loop, ""); err != nil {
			return err
		}
		if err := b.expandNode(part, loop, loop); err != nil {
			return err
		}
		return b.addArc(loop, to, "")
	}
	for range n.most - n.least {
		if err := b.addArc(at, to, ""); err != nil {
			return err
		}
		next := b.newState()
		if err := b.expandNode(part, at, next); err != nil {
			return err
		}
		at = next
	}
	return b.addArc(at, to, "")
}

// plainText returns text as a model writes it: without vowel marks, tatweel and punctuation.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '\u064b' && r <= '\u0652', r == '\u0670', r == '\u0640':
			return -1
		case unicode.IsPunct(r):
			return ' '
		}
		return r
	}, text)
}
