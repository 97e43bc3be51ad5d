package config

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// annotationWidth is the longest line of a comment.
const annotationWidth = 78

// WriteAnnotated writes munadi.yaml as it is shipped: every setting with its explanation and its default.
func WriteAnnotated(w io.Writer) error {
	var b strings.Builder
	comment(&b, "Munadi's settings, each with its default. A flag (--name) counts before a variable (MUNADI_NAME), "+
		"a variable before this file. Secrets of the first start come from the environment only:")
	for _, s := range settings() {
		if s.secret {
			comment(&b, s.variable()+": "+s.help)
		}
	}
	for _, s := range settings() {
		if s.secret || s.name == fileSetting {
			continue
		}
		b.WriteByte('\n')
		comment(&b, s.help)
		fmt.Fprintf(&b, "%s: %s\n", s.name, scalar(s.fallback))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// scalar writes a default as YAML, quoted only where it must be.
func scalar(text string) string {
	if text == "" || strings.ContainsAny(text, `#'"{}[]`) {
		return strconv.Quote(text)
	}
	return text
}

// comment writes text as comment lines.
func comment(b *strings.Builder, text string) {
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > annotationWidth {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}
