package grammar

import (
	"fmt"
	"maps"
	"strings"
	"unicode"
)

const (
	maxArcs  = 60_000  // of a grammar once every rule is expanded
	maxParts = 200_000 // visited on the way there: parts that are never said add no arcs
)

// Arc leads from one state to another by a word; by nothing where Word is empty.
type Arc struct {
	From, To int
	Word     string
}

// Automaton is a rule as a finite-state acceptor over words. State 0 is the start.
type Automaton struct {
	States int
	Final  int
	Arcs   []Arc
}

// With returns the rules with one more, or with that one changed: a choice of phrases. Without any the rule is never
// said.
func (g *Grammar) With(rule string, phrases []string) *Grammar {
	n := node{kind: choiceNode}
	for _, p := range phrases {
		if w := words(p); len(w.children) > 0 {
			n.children = append(n.children, w)
		}
	}
	return g.with(rule, n)
}

func (g *Grammar) with(rule string, n node) *Grammar {
	out := &Grammar{root: g.root, public: g.public, rules: maps.Clone(g.rules)}
	out.rules[rule] = n
	return out
}

// Rooted returns the rules with that one as the root.
func (g *Grammar) Rooted(rule string) *Grammar {
	return &Grammar{root: rule, rules: g.rules}
}

// Root is the rule that the grammar names as its root, or its first public one; empty without either.
func (g *Grammar) Root() string {
	if g.root != "" {
		return g.root
	}
	return g.public
}

// Compile makes an automaton of a rule; of the root where the name is empty.
func (g *Grammar) Compile(rule string) (Automaton, error) {
	if rule == "" {
		rule = g.Root()
	}
	if rule == "" {
		return Automaton{}, fmt.Errorf("%w: no rule is the root; write \"root $name;\" or make one public", ErrGrammar)
	}
	b := builder{grammar: g, open: map[string]bool{}}
	start := b.state()
	end := b.state()
	if err := b.rule(rule, start, end); err != nil {
		return Automaton{}, err
	}
	return Automaton{States: b.states, Final: end, Arcs: b.arcs}, nil
}

// builder is Thompson's construction (1968) under way.
type builder struct {
	grammar *Grammar
	states  int
	parts   int
	arcs    []Arc
	open    map[string]bool // rules that are being expanded
}

func (b *builder) state() int {
	b.states++
	return b.states - 1
}

func (b *builder) arc(from, to int, word string) error {
	if len(b.arcs) == maxArcs {
		return errLarge
	}
	b.arcs = append(b.arcs, Arc{from, to, word})
	return nil
}

var errLarge = fmt.Errorf("%w: more than %d words once every rule is expanded; make it smaller", ErrGrammar, maxArcs)

func (b *builder) rule(name string, from, to int) error {
	switch name {
	case "NULL":
		return b.arc(from, to, "")
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
	return b.expand(n, from, to)
}

// expand lays the arcs of an expansion between two states.
func (b *builder) expand(n node, from, to int) error {
	if b.parts++; b.parts > maxParts {
		return errLarge
	}
	switch n.kind {
	case wordNode:
		return b.arc(from, to, n.text)
	case ruleNode:
		return b.rule(n.text, from, to)
	case choiceNode:
		for _, c := range n.children {
			if err := b.expand(c, from, to); err != nil {
				return err
			}
		}
		return nil
	case repeatNode:
		return b.repeat(n, from, to)
	}
	for i, c := range n.children {
		next := to
		if i < len(n.children)-1 {
			next = b.state()
		}
		if err := b.expand(c, from, next); err != nil {
			return err
		}
		from = next
	}
	if len(n.children) == 0 {
		return b.arc(from, to, "")
	}
	return nil
}

// repeat lays a part least times in a row, then as often again as is allowed, each of which may be the last.
func (b *builder) repeat(n node, from, to int) error {
	part := n.children[0]
	at := b.state() // of its own, so that a loop stays inside the part
	if err := b.arc(from, at, ""); err != nil {
		return err
	}
	for range n.least {
		next := b.state()
		if err := b.expand(part, at, next); err != nil {
			return err
		}
		at = next
	}
	if n.most < 0 {
		loop := b.state()
		if err := b.arc(at, loop, ""); err != nil {
			return err
		}
		if err := b.expand(part, loop, loop); err != nil {
			return err
		}
		return b.arc(loop, to, "")
	}
	for range n.most - n.least {
		if err := b.arc(at, to, ""); err != nil {
			return err
		}
		next := b.state()
		if err := b.expand(part, at, next); err != nil {
			return err
		}
		at = next
	}
	return b.arc(at, to, "")
}

// plain is text as a model writes it: without vowel marks, the drawn-out stroke and punctuation.
func plain(text string) string {
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
