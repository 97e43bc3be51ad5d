package tokenizer

import "strings"

// SpellText returns the text that ids spell, without the leading space that EncodeText adds.
func (t *Tokenizer) SpellText(ids []int) string {
	var out []byte
	for _, id := range ids {
		p := t.pieces[id]
		if b, ok := octetOf(p.text); ok && p.kind == octet {
			out = append(out, b)
		} else {
			out = append(out, p.text...)
		}
	}
	text := strings.ReplaceAll(string(out), space, " ")
	if t.norm.prefix {
		text = strings.TrimPrefix(text, " ")
	}
	return text
}
