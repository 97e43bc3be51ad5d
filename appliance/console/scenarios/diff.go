package scenarios

import (
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"munadi/ui/scenarios"
)

// contextLines is the number of unchanged lines shown around a change.
const contextLines = 3

// diffScripts is [diffLines] for scripts: added and removed empty lines, which only separate steps, are left out.
func diffScripts(before, after string) []scenarios.DiffLine {
	return slices.DeleteFunc(diffLines(before, after), func(line scenarios.DiffLine) bool {
		return line.Change != scenarios.KeptLine && line.Text == ""
	})
}

// diffLines returns the difference of two texts by lines, without long unchanged sections; nil for equal texts.
func diffLines(before, after string) []scenarios.DiffLine {
	before, after = endLine(before), endLine(after)
	edits := udiff.Lines(before, after)
	if len(edits) == 0 {
		return nil
	}
	var all []scenarios.DiffLine
	at := 0
	for _, e := range edits {
		all = appendLines(all, scenarios.KeptLine, before[at:e.Start])
		all = appendLines(all, scenarios.RemovedLine, before[e.Start:e.End])
		all = appendLines(all, scenarios.AddedLine, e.New)
		at = e.End
	}
	return skipUnchanged(appendLines(all, scenarios.KeptLine, before[at:]))
}

// endLine ends a text with a line break, so that its last line equals the same line in the middle.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

func appendLines(to []scenarios.DiffLine, change scenarios.LineChange, text string) []scenarios.DiffLine {
	for line := range strings.Lines(text) {
		to = append(to, scenarios.DiffLine{Change: change, Text: strings.TrimSuffix(line, "\n")})
	}
	return to
}

// skipUnchanged replaces unchanged lines that are far from any change by their number.
func skipUnchanged(all []scenarios.DiffLine) []scenarios.DiffLine {
	near := make([]bool, len(all))
	for i, line := range all {
		if line.Change == scenarios.KeptLine {
			continue
		}
		for j := max(0, i-contextLines); j <= min(len(all)-1, i+contextLines); j++ {
			near[j] = true
		}
	}
	var out []scenarios.DiffLine
	for i, line := range all {
		switch last := len(out) - 1; {
		case near[i]:
			out = append(out, line)
		case last >= 0 && out[last].Skipped > 0:
			out[last].Skipped++
		default:
			out = append(out, scenarios.DiffLine{Skipped: 1})
		}
	}
	return out
}
