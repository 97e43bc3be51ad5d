package config

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// annotationWidth is the longest line of a comment in munadi.yaml.
const annotationWidth = 78

// preamble is the header of munadi.yaml.
const preamble = "Munadi's settings, each with its default: a line that is removed changes nothing. A flag " +
	"(--name) takes precedence over a variable (MUNADI_NAME), a variable over this file. Sizes are like 100MiB, " +
	"durations like 90s, 4h or 7d. A list is [one, two] here, and one,two here, in a flag or in a variable. " +
	"`munadi config --check` validates the file."

// reloading explains how a change takes effect.
const reloading = "`munadi reload` or `systemctl reload munadi` reads the file again. If any setting is invalid, " +
	"all old settings stay in force and the error names the line. Settings marked (restart) change only when the " +
	"appliance is restarted; a reload lists those that need it."

// WriteAnnotated writes the shipped munadi.yaml: every setting with its explanation and its default.
func WriteAnnotated(w io.Writer) error {
	var b strings.Builder
	writeComment(&b, preamble)
	b.WriteString("#\n")
	writeComment(&b, reloading)
	b.WriteString("#\n")
	writeComment(&b, "Secrets come from the environment alone (with systemd: /etc/munadi/environment):")
	for _, s := range listSettings() {
		if s.secret {
			writeComment(&b, s.environmentName()+": "+s.help)
		}
	}
	writeComment(&b, llmKey+": "+llmKeyHelp)
	writeComment(&b, toolKey+": "+toolKeyHelp)
	known := settingNotes()
	for _, s := range listSettings() {
		if !s.secret && s.name != fileSetting {
			writeSetting(&b, s, known[s.name])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSetting writes one setting.
func writeSetting(b *strings.Builder, s settingField, n settingNote) {
	b.WriteByte('\n')
	if n.part != "" {
		fmt.Fprintf(b, "# --- %s ---\n\n", n.part)
	}
	text := s.help
	if n.text != "" {
		text += " " + n.text
	}
	if !n.live {
		text += " (restart)"
	}
	writeComment(b, text)
	fmt.Fprintf(b, "%s: %s\n", s.name, yamlScalar(s.fallback))
}

// yamlScalar returns a default as YAML, quoted only if necessary.
func yamlScalar(text string) string {
	if text == "" || strings.ContainsAny(text, `#'"{}[]`) {
		return strconv.Quote(text)
	}
	return text
}

// writeComment writes text as comment lines.
func writeComment(b *strings.Builder, text string) { wrapLines(b, "#", annotationWidth, text) }

// wrapLines writes text in lines of at most width bytes, each with the prefix start.
func wrapLines(b *strings.Builder, start string, width int, text string) {
	line := start
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = start
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}
