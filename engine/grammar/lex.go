package grammar

import (
	"fmt"
	"strings"
	"unicode"
)

// lexicalToken is one lexical unit of the ABNF form.
type lexicalToken struct {
	kind tokenKind
	text string
}

type tokenKind int

const (
	endToken tokenKind = iota
	wordToken
	ruleToken   // $name, without the sign
	markToken   // one of = ; | ( ) [ ]
	repeatToken // <n-m>, without the brackets
)

// abnfLexer splits ABNF into tokens. Tags, weights and comments are skipped.
type abnfLexer struct {
	rest string
	line int
}

// nextToken returns the next token.
func (l *abnfLexer) nextToken() (lexicalToken, error) {
	if err := l.skipSpace(); err != nil {
		return lexicalToken{}, err
	}
	if l.rest == "" {
		return lexicalToken{kind: endToken}, nil
	}
	switch c := l.rest[0]; {
	case strings.IndexByte("=;|()[]", c) >= 0:
		return l.takeToken(markToken, 1, 0, 0), nil
	case c == '$':
		return l.readRuleName()
	case c == '<':
		return l.readEnclosed(repeatToken, ">")
	case c == '"':
		return l.readEnclosed(wordToken, `"`)
	}
	n := strings.IndexFunc(
		l.rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`=;|()[]$<>"{}/`, r) },
	)
	switch {
	case n == 0:
		return lexicalToken{}, l.newSyntaxError("%q is not expected here", string([]rune(l.rest)[:1]))
	case n < 0:
		n = len(l.rest)
	}
	return l.takeToken(wordToken, n, 0, 0), nil
}

// takeToken consumes n bytes; the token's text excludes front and back bytes at its ends.
func (l *abnfLexer) takeToken(kind tokenKind, n, front, back int) lexicalToken {
	t := lexicalToken{kind, l.rest[front : n-back]}
	l.line += strings.Count(l.rest[:n], "\n")
	l.rest = l.rest[n:]
	return t
}

func (l *abnfLexer) readRuleName() (lexicalToken, error) {
	n := 1
	for n < len(l.rest) && isName(l.rest[n]) {
		n++
	}
	if n == 1 {
		return lexicalToken{}, l.newSyntaxError("$ must be followed by a rule's name: letters a to z, digits, _ and -")
	}
	return l.takeToken(ruleToken, n, 1, 0), nil
}

func isName(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (l *abnfLexer) readEnclosed(kind tokenKind, closing string) (lexicalToken, error) {
	n := strings.Index(l.rest[1:], closing)
	if n < 0 {
		return lexicalToken{}, l.newSyntaxError("%s is missing after %s", closing, l.rest[:1])
	}
	return l.takeToken(kind, n+2, 1, 1), nil
}

// skipSpace skips white space, comments, {tags} and /weights/.
func (l *abnfLexer) skipSpace() error {
	for {
		trimmed := strings.TrimLeftFunc(l.rest, unicode.IsSpace)
		l.takeToken(endToken, len(l.rest)-len(trimmed), 0, 0)
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
			l.takeToken(endToken, from+n+len(closing), 0, 0)
		case closing == "\n":
			l.takeToken(endToken, len(l.rest), 0, 0)
		default:
			return l.newSyntaxError("%s is missing after %s", closing, l.rest[:from])
		}
	}
}

func (l *abnfLexer) newSyntaxError(format string, args ...any) error {
	return fmt.Errorf("%w, line %d: %s", ErrGrammar, l.line, fmt.Sprintf(format, args...))
}
