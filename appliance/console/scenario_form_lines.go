package console

import (
	"strings"

	"munadi/store/scenario"
	"munadi/ui/page"
)

// bindLines binds spoken lines, and an empty one to be added. Lines without text are removed.
func (b *formBinder) bindLines(path string, lines *scenario.SpokenLines) page.FormLines {
	out := page.FormLines{Path: path}
	if b.given != nil {
		var kept scenario.SpokenLines
		for i := range len(*lines) + 1 {
			line := scenario.SpokenLine{}
			if i < len(*lines) {
				line = (*lines)[i]
			}
			at := scenario.IndexPath(path, i)
			typed, shown := b.typedValue(at)
			if shown && typed != unixLines(line.Text) {
				line.Text = strings.TrimSpace(typed)
			}
			if shown && i < len(*lines) {
				line.Optional, line.CallBack = b.given.Has(at+".optional"), b.given.Has(at+".call_back")
			}
			if i < len(*lines) && !shown || strings.TrimSpace(line.Text) != "" {
				kept = append(kept, line)
			}
		}
		*lines = kept
	}
	for i := range len(*lines) + 1 {
		line := scenario.SpokenLine{}
		if i < len(*lines) {
			line = (*lines)[i]
		}
		out.Lines = append(out.Lines, b.lineField(path, i, len(*lines), line))
	}
	out.Fault = b.faults.takeAt(path)
	return out
}

// lineField returns a line for display. A single line also shows the faults of the list.
func (b *formBinder) lineField(path string, i, n int, line scenario.SpokenLine) page.FormLine {
	at := scenario.IndexPath(path, i)
	var further []string
	if n <= 1 && i == 0 {
		further = []string{path}
	}
	f := page.FormLine{
		Text:     b.newField(at, line.Text, further...),
		Optional: b.newField(at+".optional", ""), CallBack: b.newField(at+".call_back", ""),
		Fixed: line.Text != "" && scenario.IsFixed(line.Text),
	}
	f.Optional.Checked, f.CallBack.Checked = line.Optional, line.CallBack
	return f
}
