package scenarios

import (
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// contextLines is the number of unchanged lines shown around a change.
const contextLines = 3

// diffScenarios returns what changed from one scenario to another, by part, and the difference of their JSON. A before
// without an id is none: everything was added.
func diffScenarios(before, after scenario.Scenario, l locale.Language) (d scenarios.ScenarioDifference, err error) {
	old, source := []scriptPart(nil), ""
	if before.ID != "" {
		if old, err = scriptParts(before, l); err != nil {
			return d, err
		}
		if source, err = scenarioJSON(before); err != nil {
			return d, err
		}
	}
	parts, err := scriptParts(after, l)
	if err != nil {
		return d, err
	}
	newer, err := scenarioJSON(after)
	return scenarios.ScenarioDifference{Parts: diffParts(old, parts), Source: diffLines(source, newer)}, err
}

// diffParts returns the parts that were added, removed, moved or changed, in their new order.
func diffParts(before, after []scriptPart) (all []scenarios.PartChange) {
	was, is := indexParts(before), indexParts(after)
	for _, line := range compareLines(partIDs(before), partIDs(after)) {
		old, existed := was[line.Text]
		part, exists := is[line.Text]
		switch {
		case line.Change == scenarios.RemovedLine && exists: // moved: shown at its new place
		case line.Change == scenarios.RemovedLine:
			all = append(all, scenarios.PartChange{Title: old.title, Change: line.Change, Lines: diffLines(old.text, "")})
		case !existed:
			all = append(all, scenarios.PartChange{Title: part.title, Change: line.Change, Lines: diffLines("", part.text)})
		case old.source != part.source || line.Change == scenarios.AddedLine:
			all = append(all, scenarios.PartChange{
				Title: part.title, Moved: line.Change == scenarios.AddedLine, Unseen: old.source != part.source,
				Lines: markWords(dropTitle(diffLines(old.text, part.text))),
			})
		}
	}
	return all
}

// dropTitle leaves out the first line of a part, which its title says, where it is unchanged.
func dropTitle(lines []scenarios.DiffLine) []scenarios.DiffLine {
	if len(lines) > 0 && lines[0].Change == scenarios.KeptLine && lines[0].Skipped == 0 {
		return lines[1:]
	}
	return lines
}

func indexParts(parts []scriptPart) map[string]scriptPart {
	index := make(map[string]scriptPart, len(parts))
	for _, part := range parts {
		index[part.id] = part
	}
	return index
}

func partIDs(parts []scriptPart) string {
	var ids strings.Builder
	for _, part := range parts {
		ids.WriteString(part.id + "\n")
	}
	return ids.String()
}

// markWords marks in each changed line the words that differ from the line that it replaces.
func markWords(lines []scenarios.DiffLine) []scenarios.DiffLine {
	for i := 0; i < len(lines); {
		removed := countChanged(lines[i:], scenarios.RemovedLine)
		added := countChanged(lines[i+removed:], scenarios.AddedLine)
		for j := range min(removed, added) {
			old, newer := &lines[i+j], &lines[i+removed+j]
			words := compareLines(strings.ReplaceAll(old.Text, " ", "\n"), strings.ReplaceAll(newer.Text, " ", "\n"))
			old.Words, newer.Words = joinWords(words, old.Change), joinWords(words, newer.Change)
		}
		i += max(1, removed+added)
	}
	return lines
}

// countChanged returns how many lines at the beginning have this change.
func countChanged(lines []scenarios.DiffLine, change scenarios.LineChange) (n int) {
	for n < len(lines) && lines[n].Change == change && lines[n].Skipped == 0 {
		n++
	}
	return n
}

// joinWords returns a line of the side of a change, in runs of words that are kept or changed.
func joinWords(words []scenarios.DiffLine, side scenarios.LineChange) (runs []scenarios.WordRun) {
	for _, word := range words {
		if word.Change != scenarios.KeptLine && word.Change != side {
			continue
		}
		changed, last := word.Change == side, len(runs)-1
		switch {
		case last < 0:
			runs = append(runs, scenarios.WordRun{Text: word.Text, Changed: changed})
		case runs[last].Changed == changed:
			runs[last].Text += " " + word.Text
		case changed:
			runs[last].Text += " "
			runs = append(runs, scenarios.WordRun{Text: word.Text, Changed: true})
		default:
			runs = append(runs, scenarios.WordRun{Text: " " + word.Text})
		}
	}
	return unmarkIsolates(runs)
}

// unmarkIsolates moves the marks of direction that surround a text out of runs of changed words, in which only words
// are marked.
func unmarkIsolates(runs []scenarios.WordRun) (moved []scenarios.WordRun) {
	for _, run := range runs {
		words, opens := strings.CutPrefix(run.Text, "\u2068")
		words, closes := strings.CutSuffix(words, "\u2069")
		if !run.Changed || !opens && !closes {
			moved = append(moved, run)
			continue
		}
		if opens {
			moved = append(moved, scenarios.WordRun{Text: "\u2068"})
		}
		moved = append(moved, scenarios.WordRun{Text: words, Changed: true})
		if closes {
			moved = append(moved, scenarios.WordRun{Text: "\u2069"})
		}
	}
	return moved
}

// diffLines is [compareLines] without long unchanged sections; nil for equal texts.
func diffLines(before, after string) []scenarios.DiffLine {
	if endLine(before) == endLine(after) {
		return nil
	}
	return skipUnchanged(compareLines(before, after))
}

// compareLines returns the lines of two texts: kept, removed and added.
func compareLines(before, after string) (all []scenarios.DiffLine) {
	before, after = endLine(before), endLine(after)
	at := 0
	for _, e := range udiff.Lines(before, after) {
		all = appendLines(all, scenarios.KeptLine, before[at:e.Start])
		all = appendLines(all, scenarios.RemovedLine, before[e.Start:e.End])
		all = appendLines(all, scenarios.AddedLine, e.New)
		at = e.End
	}
	return appendLines(all, scenarios.KeptLine, before[at:])
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
