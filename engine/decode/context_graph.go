package decode

import "fmt"

// ContextPhrase is a phrase for context biasing (word spotting, hotwords).
type ContextPhrase struct {
	Text      string
	Spellings [][]int // token ids; alternative spellings are separate paths to the same phrase
}

// ContextGraph is a prefix tree (trie) of phrases with CTC topology (NeMo context_graph_ctc.py): every token node has a
// self-loop, and between two tokens is an optional blank node; equal consecutive tokens require the blank. It is
// immutable, and searches may share it.
type ContextGraph struct {
	blank   int
	phrases []ContextPhrase
	nodes   []contextNode // the first is the root
}

type contextNode struct {
	arcs   []contextArc // in insertion order, which breaks ties
	phrase int          // index of the phrase that ends here, -1 if none
}

type contextArc struct{ label, to int }

const contextRoot = 0

// NewContextGraph builds the graph for a model with the given blank id. Empty spellings are skipped; a token that is
// not a label of the model is an error. Of two phrases with the same spelling the later one wins.
func NewContextGraph(blank int, phrases []ContextPhrase) (*ContextGraph, error) {
	g := &ContextGraph{blank: blank, phrases: phrases}
	g.addNode()
	for i, p := range phrases {
		for _, tokens := range p.Spellings {
			if err := g.addSpelling(i, tokens); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// GraphPhrases returns the phrases of the graph; do not modify them.
func (g *ContextGraph) GraphPhrases() []ContextPhrase { return g.phrases }

// IsEmpty reports whether the graph has no phrases.
func (g *ContextGraph) IsEmpty() bool { return len(g.nodes) == 1 }

func (g *ContextGraph) addSpelling(phrase int, tokens []int) error {
	if len(tokens) == 0 {
		return nil
	}
	at, before := contextRoot, -1
	for _, token := range tokens {
		if token < 0 || token >= g.blank {
			return fmt.Errorf("%w: phrase %q has token %d of %d", ErrOption, g.phrases[phrase].Text, token, g.blank)
		}
		at, before = g.addStep(at, before, token), token
	}
	g.nodes[at].phrase = phrase
	return nil
}

// addStep returns the child node for a token, creating it if needed. before is the token that leads to from.
func (g *ContextGraph) addStep(from, before, token int) int {
	if token != before {
		if to := g.followArc(from, token); to >= 0 {
			return to
		}
	} else if blank := g.followArc(from, g.blank); blank >= 0 {
		if to := g.followArc(blank, token); to >= 0 {
			return to
		}
	}
	to := g.addNode()
	g.addArc(to, token, to)
	if token != before {
		g.addArc(from, token, to)
	}
	if from == contextRoot {
		return to
	}
	blank := g.followArc(from, g.blank)
	if blank < 0 {
		blank = g.addNode()
		g.addArc(blank, g.blank, blank)
		g.addArc(from, g.blank, blank)
	}
	g.addArc(blank, token, to)
	return to
}

func (g *ContextGraph) addNode() int {
	g.nodes = append(g.nodes, contextNode{phrase: -1})
	return len(g.nodes) - 1
}

func (g *ContextGraph) addArc(from, label, to int) {
	g.nodes[from].arcs = append(g.nodes[from].arcs, contextArc{label, to})
}

// followArc returns the target of the arc with a label, -1 without one.
func (g *ContextGraph) followArc(from, label int) int {
	for _, a := range g.nodes[from].arcs {
		if a.label == label {
			return a.to
		}
	}
	return -1
}
