package console

import (
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"munadi/ui/page"
)

// contextLines is the number of unchanged lines shown around a change.
const contextLines = 3

// diffScripts is [diffLines] for scripts: added and removed empty lines, which only separate steps, are left out.
func diffScripts(before, after string) []page.DiffLine {
	return slices.DeleteFunc(diffLines(before, after), func(line page.DiffLine) bool {
		return line.Change != page.KeptLine && line.Text == ""
	})
}

// diffLines returns the difference of two texts by lines, without long unchanged sections; nil for equal texts.
func diffLines(before, after string) []page.DiffLine {
	before, after = endLine(before), endLine(after)
	edits := udiff.Lines(before, after)
	if len(edits) == 0 {
		return nil
	}
	var all []page.DiffLine
	at := 0
	for _, e := range edits {
		all = appendLines(all, page.KeptLine, before[at:e.Start])
		all = appendLines(all, page.RemovedLine, before[e.Start:e.End])
		all = appendLines(all, page.AddedLine, e.New)
		at = e.End
	}
	return skipUnchanged(appendLines(all, page.KeptLine, before[at:]))
}

// endLine ends a text with a line break, so that its last line equals the same line in the middle.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func appendLines(to []page.DiffLine, change page.LineChange, text string) []page.DiffLine {
	for line := range strings.Lines(text) {
		to = append(to, page.DiffLine{Change: change, Text: strings.TrimSuffix(line, "\n")})
	}
	return to
}

// skipUnchanged replaces unchanged lines that are far from any change by their number.
func skipUnchanged(all []page.DiffLine) []page.DiffLine {
	near := make([]bool, len(all))
	for i, line := range all {
		if line.Change == page.KeptLine {
			continue
		}
		for j := max(0, i-contextLines); j <= min(len(all)-1, i+contextLines); j++ {
			near[j] = true
		}
	}
	var out []page.DiffLine
	for i, line := range all {
		switch last := len(out) - 1; {
		case near[i]:
			out = append(out, line)
		case last >= 0 && out[last].Skipped > 0:
			out[last].Skipped++
		default:
			out = append(out, page.DiffLine{Skipped: 1})
		}
	}
	return out
}
