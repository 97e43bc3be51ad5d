package grammar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrGrammar says that a grammar cannot be read or used; the text around it says why.
var ErrGrammar = errors.New("grammar")

const (
	maxText   = 64 << 10 // bytes of a grammar
	maxNested = 50       // brackets and rules inside each other
	maxRepeat = 40       // of <n-m>
)

// Grammar is a set of rules.
type Grammar struct {
	root   string // named by the header; empty: the first public rule
	public string
	rules  map[string]node
}

// node is an expansion: what may be said at one place.
type node struct {
	kind     nodeKind
	text     string // of a word, the name of a rule
	children []node
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

// Parse reads a grammar in the ABNF form that the package comment describes.
func Parse(text string) (*Grammar, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%w: %d bytes; at most %d are accepted", ErrGrammar, len(text), maxText)
	}
	text = strings.TrimPrefix(text, "\ufeff")
	line := 1
	if strings.HasPrefix(text, "#") {
		_, rest, _ := strings.Cut(text, ";")
		text = rest
	}
	p := parser{lexer: lexer{rest: text, line: line}, grammar: &Grammar{rules: map[string]node{}}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	for p.now.kind != endToken {
		if err := p.statement(); err != nil {
			return nil, err
		}
	}
	return p.grammar, nil
}

// parser reads tokens one ahead.
type parser struct {
	lexer
	now     token
	depth   int
	grammar *Grammar
}

func (p *parser) advance() (err error) {
	p.now, err = p.next()
	return err
}

// mark tells whether the token at hand is that mark.
func (p *parser) mark(text string) bool { return p.now.kind == markToken && p.now.text == text }

func (p *parser) expect(mark string) error {
	if !p.mark(mark) {
		return p.fault("%s is expected, not %q", mark, p.now.text)
	}
	return p.advance()
}

// statement reads a header field or a rule.
func (p *parser) statement() error {
	public := false
	if p.now.kind == wordToken {
		switch p.now.text {
		case "root":
			return p.header(true)
		case "public":
			public = true
			fallthrough
		case "private":
			if err := p.advance(); err != nil {
				return err
			}
		default:
			return p.header(false)
		}
	}
	return p.definition(public)
}

// header reads a field: language, mode, tag-format, meta and others are passed over.
func (p *parser) header(root bool) error {
	for p.now.kind != endToken && !p.mark(";") {
		if p.mark("=") {
			return p.fault("a rule begins with $ and its name")
		}
		if root && p.now.kind == ruleToken {
			p.grammar.root = p.now.text
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
	return p.expect(";")
}

func (p *parser) definition(public bool) error {
	if p.now.kind != ruleToken {
		return p.fault("a rule begins with $ and its name, not with %q", p.now.text)
	}
	name := p.now.text
	if _, twice := p.grammar.rules[name]; twice || reserved(name) {
		return p.fault("$%s is defined already", name)
	}
	if err := p.advance(); err != nil {
		return err
	}
	if err := p.expect("="); err != nil {
		return err
	}
	n, err := p.alternatives()
	if err != nil {
		return err
	}
	p.grammar.rules[name] = n
	if public && p.grammar.public == "" {
		p.grammar.public = name
	}
	return p.expect(";")
}

func reserved(name string) bool { return name == "NULL" || name == "VOID" || name == "GARBAGE" }

func (p *parser) alternatives() (node, error) {
	if p.depth++; p.depth > maxNested {
		return node{}, p.fault("more than %d brackets inside each other", maxNested)
	}
	defer func() { p.depth-- }()
	out := node{kind: choiceNode}
	for {
		n, err := p.sequence()
		if err != nil {
			return node{}, err
		}
		out.children = append(out.children, n)
		if !p.mark("|") {
			return out, nil
		}
		if err := p.advance(); err != nil {
			return node{}, err
		}
	}
}

func (p *parser) sequence() (node, error) {
	out := node{kind: sequenceNode}
	for {
		n, ok, err := p.item()
		if err != nil || !ok {
			return out, err
		}
		for p.now.kind == repeatToken {
			if n, err = p.repeat(n); err != nil {
				return node{}, err
			}
		}
		out.children = append(out.children, n)
	}
}

// item reads a word, a rule's name or a bracket; false where none begins.
func (p *parser) item() (node, bool, error) {
	switch {
	case p.now.kind == wordToken:
		n := words(p.now.text)
		return n, true, p.advance()
	case p.now.kind == ruleToken:
		if p.now.text == "GARBAGE" {
			return node{}, false, p.fault("$GARBAGE is not known: words that no rule foresees are heard by the free search")
		}
		n := node{kind: ruleNode, text: p.now.text}
		return n, true, p.advance()
	case p.mark("("), p.mark("["):
		optional, closing := p.mark("["), map[string]string{"(": ")", "[": "]"}[p.now.text]
		if err := p.advance(); err != nil {
			return node{}, false, err
		}
		n, err := p.alternatives()
		if err != nil {
			return node{}, false, err
		}
		if optional {
			n = node{kind: repeatNode, children: []node{n}, most: 1}
		}
		return n, true, p.expect(closing)
	}
	return node{}, false, nil
}

// words is a sequence of the words of a text, without vowels and punctuation.
func words(text string) node {
	out := node{kind: sequenceNode}
	for _, w := range strings.Fields(plain(text)) {
		out.children = append(out.children, node{kind: wordNode, text: w})
	}
	return out
}

// repeat reads <n>, <n-m> or <n->.
func (p *parser) repeat(n node) (node, error) {
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
		return node{}, p.fault("<%s>: <n>, <n-m> or <n-> is expected, with numbers up to %d", p.now.text, maxRepeat)
	}
	return node{kind: repeatNode, children: []node{n}, least: least, most: most}, p.advance()
}
