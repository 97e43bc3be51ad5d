package grammar

import (
	"fmt"
	"strings"
	"unicode"
)

// token is one lexical unit of the ABNF form.
type token struct {
	kind tokenKind
	text string
	line int
}

type tokenKind int

const (
	endToken tokenKind = iota
	wordToken
	ruleToken   // $name, without the sign
	markToken   // one of = ; | ( ) [ ]
	repeatToken // <n-m>, without the brackets
)

// lexer takes ABNF apart. Tags, weights and comments are passed over.
type lexer struct {
	rest string
	line int
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	if err := l.skip(); err != nil {
		return token{}, err
	}
	if l.rest == "" {
		return token{kind: endToken, line: l.line}, nil
	}
	switch c := l.rest[0]; {
	case strings.IndexByte("=;|()[]", c) >= 0:
		return l.take(markToken, 1, 0, 0), nil
	case c == '$':
		return l.rule()
	case c == '<':
		return l.enclosed(repeatToken, ">")
	case c == '"':
		return l.enclosed(wordToken, `"`)
	}
	n := strings.IndexFunc(l.rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`=;|()[]$<>"{}/`, r) })
	switch {
	case n == 0:
		return token{}, l.fault("%q is not expected here", string([]rune(l.rest)[:1]))
	case n < 0:
		n = len(l.rest)
	}
	return l.take(wordToken, n, 0, 0), nil
}

// take cuts n bytes off; the text leaves out some at both ends.
func (l *lexer) take(kind tokenKind, n, front, back int) token {
	t := token{kind, l.rest[front : n-back], l.line}
	l.line += strings.Count(l.rest[:n], "\n")
	l.rest = l.rest[n:]
	return t
}

func (l *lexer) rule() (token, error) {
	n := 1
	for n < len(l.rest) && isName(l.rest[n]) {
		n++
	}
	if n == 1 {
		return token{}, l.fault("$ must be followed by a rule's name: letters a to z, digits, _ and -")
	}
	return l.take(ruleToken, n, 1, 0), nil
}

func isName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (l *lexer) enclosed(kind tokenKind, closing string) (token, error) {
	n := strings.Index(l.rest[1:], closing)
	if n < 0 {
		return token{}, l.fault("%s is missing behind %s", closing, l.rest[:1])
	}
	return l.take(kind, n+2, 1, 1), nil
}

// skip passes over white space, comments, {tags} and /weights/.
func (l *lexer) skip() error {
	for {
		trimmed := strings.TrimLeftFunc(l.rest, unicode.IsSpace)
		l.take(endToken, len(l.rest)-len(trimmed), 0, 0)
		from, closing := 1, ""
		switch {
		case strings.HasPrefix(l.rest, "//"):
			from, closing = 2, "\n"
		case strings.HasPrefix(l.rest, "/*"):
			from, closing = 2, "*/"
		case strings.HasPrefix(l.rest, "{!{"):
			from, closing = 3, "}!}"
		case strings.HasPrefix(l.rest, "{"):
			closing = "}"
		case strings.HasPrefix(l.rest, "/"):
			closing = "/"
		default:
			return nil
		}
		n := strings.Index(l.rest[from:], closing)
		switch {
		case n >= 0:
			l.take(endToken, from+n+len(closing), 0, 0)
		case closing == "\n":
			l.take(endToken, len(l.rest), 0, 0)
		default:
			return l.fault("%s is missing behind %s", closing, l.rest[:from])
		}
	}
}

func (l *lexer) fault(format string, args ...any) error {
	return fmt.Errorf("%w, line %d: %s", ErrGrammar, l.line, fmt.Sprintf(format, args...))
}
