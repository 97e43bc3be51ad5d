package grammar

import (
	"strconv"
	"strings"
)

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
