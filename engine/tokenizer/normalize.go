package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// textNormalizer prepares text as SentencePiece's Normalizer does.
type textNormalizer struct {
	table    normalizationMap
	verbatim []string // user-defined symbols, the longest first: never changed
	prefix   bool     // a space is added before the text (after it if suffix is set)
	suffix   bool
	trim     bool // spaces at the ends are dropped, repeated ones merged
	escape   bool // spaces become space, U+2581
}

func (n *textNormalizer) normalizeText(text string) string {
	if n.trim {
		text = n.trimLeft(text)
	}
	if text == "" {
		return ""
	}
	blank := " "
	if n.escape {
		blank = space
	}
	var out strings.Builder
	if n.prefix && !n.suffix {
		out.WriteString(blank)
	}
	afterSpace := n.trim
	for text != "" {
		part, length := n.normalizePrefix(text)
		text = text[length:]
		if afterSpace {
			part = strings.TrimLeft(part, " ")
		}
		if part != "" {
			out.WriteString(strings.ReplaceAll(part, " ", blank))
			afterSpace = n.trim && strings.HasSuffix(part, " ")
		}
	}
	done := out.String()
	if n.trim {
		for strings.HasSuffix(done, blank) {
			done = strings.TrimSuffix(done, blank)
		}
	}
	if n.prefix && n.suffix {
		done += blank
	}
	return done
}

// trimLeft drops leading text that normalizes to a single space.
func (n *textNormalizer) trimLeft(text string) string {
	for text != "" {
		part, length := n.normalizePrefix(text)
		if part != " " {
			break
		}
		text = text[length:]
	}
	return text
}

// normalizePrefix normalizes the longest known prefix of text, and returns its length in text.
func (n *textNormalizer) normalizePrefix(text string) (part string, length int) {
	if length = n.verbatimPrefix(text); length > 0 {
		return text[:length], length
	}
	if part, length = n.table.longestMatch(text); length > 0 {
		return part, length
	}
	r, length := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && length == 1 { // not UTF-8
		return string(utf8.RuneError), 1
	}
	return text[:length], length
}

// verbatimPrefix returns the length of the user-defined symbol at the beginning of text; 0 if there is none.
func (n *textNormalizer) verbatimPrefix(text string) int {
	for _, v := range n.verbatim {
		if strings.HasPrefix(text, v) {
			return len(v)
		}
	}
	return 0
}
