package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// DecodeIDs returns the text of ids. The leading space that EncodeText adds is dropped; ids outside the vocabulary,
// such as a blank's, and control pieces are skipped.
func (t *Tokenizer) DecodeIDs(ids []int) string {
	var out strings.Builder
	var run []byte   // octets not yet written
	dropped := false // the leading space was dropped
	for _, id := range ids {
		if id < 0 || id >= len(t.pieces) {
			continue
		}
		p := t.pieces[id]
		if p.kind == octet {
			b, _ := octetOf(p.text)
			run = append(run, b)
			continue
		}
		flushBytes(&out, run)
		run = run[:0]
		text, cut := t.surfaceText(p, out.Len() == 0 && !dropped)
		dropped = dropped || (cut && !t.norm.trim)
		out.WriteString(text)
	}
	flushBytes(&out, run)
	return out.String()
}

// surfaceText returns the text of a piece, without its space at the start of a text; cut if that was dropped.
func (t *Tokenizer) surfaceText(p vocabularyPiece, start bool) (text string, cut bool) {
	switch p.kind {
	case control:
		return "", false
	case unknown:
		return t.unkSurface, false
	}
	text = p.text
	if start && (t.norm.prefix || t.norm.trim) {
		text, cut = strings.CutPrefix(text, space)
	}
	return strings.ReplaceAll(text, space, " "), cut
}

// flushBytes writes octets as UTF-8. Octets that are not part of a character become U+FFFD.
func flushBytes(out *strings.Builder, octets []byte) {
	for len(octets) > 0 {
		r, n := utf8.DecodeRune(octets)
		out.WriteRune(r)
		octets = octets[n:]
	}
}
