package grammar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrGrammar means that a grammar is invalid; the wrapping error says why.
var ErrGrammar = errors.New("grammar")

const (
	maxText   = 64 << 10 // bytes of a grammar
	maxNested = 50       // depth of nested brackets
	maxRepeat = 40       // of <n-m>
)

// RuleGrammar is a set of rules.
type RuleGrammar struct {
	root   string // named by the header; empty: the first public rule
	public string
	rules  map[string]expansionNode
}

// expansionNode is a node of a rule expansion.
type expansionNode struct {
	kind     nodeKind
	text     string // of a word, the name of a rule
	children []expansionNode
	least    int // of a repeat
	most     int // of a repeat; -1: any number
}

type nodeKind int

const (
	wordNode nodeKind = iota
	ruleNode
	sequenceNode
	choiceNode
	repeatNode
)

// ParseABNF reads a grammar in the ABNF form that the package comment describes.
func ParseABNF(text string) (*RuleGrammar, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%w: %d bytes; at most %d are accepted", ErrGrammar, len(text), maxText)
	}
	text = strings.TrimPrefix(text, "\ufeff")
	line := 1
	if strings.HasPrefix(text, "#") {
		_, rest, _ := strings.Cut(text, ";")
		text = rest
	}
	p := abnfParser{abnfLexer: abnfLexer{rest: text, line: line}, grammar: &RuleGrammar{rules: map[string]expansionNode{}}}
	if err := p.advanceToken(); err != nil {
		return nil, err
	}
	for p.now.kind != endToken {
		if err := p.parseStatement(); err != nil {
			return nil, err
		}
	}
	return p.grammar, nil
}

// abnfParser is a recursive descent parser with one token of look-ahead.
type abnfParser struct {
	abnfLexer
	now     lexicalToken
	depth   int
	grammar *RuleGrammar
}

func (p *abnfParser) advanceToken() (err error) {
	p.now, err = p.nextToken()
	return err
}

// isMark reports whether the current token is that mark.
func (p *abnfParser) isMark(text string) bool { return p.now.kind == markToken && p.now.text == text }

func (p *abnfParser) expectMark(mark string) error {
	if !p.isMark(mark) {
		return p.newSyntaxError("%s is expected, not %q", mark, p.now.text)
	}
	return p.advanceToken()
}

// parseStatement reads a header field or a rule.
func (p *abnfParser) parseStatement() error {
	public := false
	if p.now.kind == wordToken {
		switch p.now.text {
		case "root":
			return p.parseHeader(true)
		case "public":
			public = true
			fallthrough
		case "private":
			if err := p.advanceToken(); err != nil {
				return err
			}
		default:
			return p.parseHeader(false)
		}
	}
	return p.parseDefinition(public)
}

// parseHeader reads a field: language, mode, tag-format, meta and others are skipped.
func (p *abnfParser) parseHeader(root bool) error {
	for p.now.kind != endToken && !p.isMark(";") {
		if p.isMark("=") {
			return p.newSyntaxError("a rule begins with $ and its name")
		}
		if root && p.now.kind == ruleToken {
			p.grammar.root = p.now.text
		}
		if err := p.advanceToken(); err != nil {
			return err
		}
	}
	return p.expectMark(";")
}

func (p *abnfParser) parseDefinition(public bool) error {
	if p.now.kind != ruleToken {
		return p.newSyntaxError("a rule begins with $ and its name, not with %q", p.now.text)
	}
	name := p.now.text
	if _, twice := p.grammar.rules[name]; twice || isReserved(name) {
		return p.newSyntaxError("$%s is defined already", name)
	}
	if err := p.advanceToken(); err != nil {
		return err
	}
	if err := p.expectMark("="); err != nil {
		return err
	}
	n, err := p.parseAlternatives()
	if err != nil {
		return err
	}
	p.grammar.rules[name] = n
	if public && p.grammar.public == "" {
		p.grammar.public = name
	}
	return p.expectMark(";")
}

func isReserved(name string) bool { return name == "NULL" || name == "VOID" || name == "GARBAGE" }

func (p *abnfParser) parseAlternatives() (expansionNode, error) {
	if p.depth++; p.depth > maxNested {
		return expansionNode{}, p.newSyntaxError("brackets are nested more than %d deep", maxNested)
	}
	defer func() { p.depth-- }()
	out := expansionNode{kind: choiceNode}
	for {
		n, err := p.parseSequence()
		if err != nil {
			return expansionNode{}, err
		}
		out.children = append(out.children, n)
		if !p.isMark("|") {
			return out, nil
		}
		if err := p.advanceToken(); err != nil {
			return expansionNode{}, err
		}
	}
}

func (p *abnfParser) parseSequence() (expansionNode, error) {
	out := expansionNode{kind: sequenceNode}
	for {
		n, ok, err := p.parseItem()
		if err != nil || !ok {
			return out, err
		}
		for p.now.kind == repeatToken {
			if n, err = p.parseRepeat(n); err != nil {
				return expansionNode{}, err
			}
		}
		out.children = append(out.children, n)
	}
}

// parseItem reads a word, a rule's name or a bracket; false if none begins here.
func (p *abnfParser) parseItem() (expansionNode, bool, error) {
	switch {
	case p.now.kind == wordToken:
		n := wordSequence(p.now.text)
		return n, true, p.advanceToken()
	case p.now.kind == ruleToken:
		if p.now.text == "GARBAGE" {
			return expansionNode{}, false, p.newSyntaxError(
				"$GARBAGE is not supported: the unconstrained search recognizes words outside the rules",
			)
		}
		n := expansionNode{kind: ruleNode, text: p.now.text}
		return n, true, p.advanceToken()
	case p.isMark("("), p.isMark("["):
		optional, closing := p.isMark("["), map[string]string{"(": ")", "[": "]"}[p.now.text]
		if err := p.advanceToken(); err != nil {
			return expansionNode{}, false, err
		}
		n, err := p.parseAlternatives()
		if err != nil {
			return expansionNode{}, false, err
		}
		if optional {
			n = expansionNode{kind: repeatNode, children: []expansionNode{n}, most: 1}
		}
		return n, true, p.expectMark(closing)
	}
	return expansionNode{}, false, nil
}

// wordSequence returns a sequence of the words of a text, without vowels and punctuation.
func wordSequence(text string) expansionNode {
	out := expansionNode{kind: sequenceNode}
	for _, w := range strings.Fields(plainText(text)) {
		out.children = append(out.children, expansionNode{kind: wordNode, text: w})
	}
	return out
}

// parseRepeat reads <n>, <n-m> or <n->.
func (p *abnfParser) parseRepeat(n expansionNode) (expansionNode, error) {
	from, to, span := strings.Cut(p.now.text, "-")
	least, err := strconv.Atoi(strings.TrimSpace(from))
	most := least
	if span {
		most = -1
		if to = strings.TrimSpace(to); to != "" && err == nil {
			most, err = strconv.Atoi(to)
		}
	}
	if err != nil || least < 0 || least > maxRepeat || most > maxRepeat || most >= 0 && most < least {
		return expansionNode{}, p.newSyntaxError(
			"<%s>: <n>, <n-m> or <n-> is expected, with numbers up to %d", p.now.text, maxRepeat,
		)
	}
	return expansionNode{kind: repeatNode, children: []expansionNode{n}, least: least, most: most}, p.advanceToken()
}
