package config

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
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

// helpWidth is the longest line of the help on secrets, in bytes.
const helpWidth = 80

// settingsTag is the struct tag of a command that lists the settings it uses: names, or all.
const settingsTag = "settings"

// printHelp prints kong's help without the settings that the command does not use, and with those that come from the
// environment only.
func printHelp(options kong.HelpOptions, ctx *kong.Context) error {
	used := usedSettings(ctx)
	for _, flag := range ctx.Model.Flags {
		if _, ok := findSetting(flag.Name); ok && !used("all") && !used(flag.Name) && flag.Name != fileSetting {
			flag.Hidden = true
		}
	}
	if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
		return err
	}
	if !used("all") {
		return nil
	}
	return printSecrets(ctx)
}

// usedSettings returns which settings the selected command uses; a subcommand uses those of its parent too.
func usedSettings(ctx *kong.Context) func(string) bool {
	names := map[string]bool{}
	for node := ctx.Selected(); node != nil; node = node.Parent {
		if node.Tag == nil {
			continue
		}
		for name := range strings.SplitSeq(node.Tag.Get(settingsTag), ",") {
			names[name] = true
		}
	}
	return func(name string) bool { return names[name] }
}

// printSecrets lists the settings that come from the environment only.
func printSecrets(ctx *kong.Context) error {
	var b strings.Builder
	b.WriteString("\nEnvironment only (secrets):\n")
	for _, s := range listSettings() {
		if s.secret {
			secretHelp(&b, s.environmentName(), s.help)
		}
	}
	secretHelp(&b, llmKey, llmKeyHelp)
	secretHelp(&b, toolKey, toolKeyHelp)
	_, err := fmt.Fprint(ctx.Stdout, b.String())
	return err
}

// secretHelp writes a variable and its wrapped description.
func secretHelp(b *strings.Builder, variable, help string) {
	fmt.Fprintf(b, "  $%s (default: none)\n", variable)
	wrapLines(b, "     ", helpWidth, help)
}
