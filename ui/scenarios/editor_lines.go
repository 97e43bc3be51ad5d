package scenarios

import (
	"slices"
	"strings"

	"munadi/store/scenario"
	"munadi/ui/form"
)

// SpokenForm are lines that are said one after another; the last is empty and adds one.
type SpokenForm struct {
	Path, Fault string
	Lines       []SpokenInput
}

// SpokenInput is one of them.
type SpokenInput struct {
	Text                form.Field
	Marks               []form.Field // boxes; none of the empty line
	Fixed               bool         // it can be heard: no value is filled in
	MayRecord           bool
	Recorded, Removable bool          // calls say a recording of it; the recorder can remove it
	Voice               LineVoice     // that speaks it
	Voiced              bool          // Voice is known
	Recorder            *LineRecorder // nil: it is not open
}

// LineRecorder records a line: by the microphone of the browser, or a file.
type LineRecorder struct {
	Fault   string
	Longest int // seconds
}

// firstField returns the id of the first line's input; empty without lines.
func (l SpokenForm) firstField() string {
	if len(l.Lines) == 0 {
		return ""
	}
	return l.Lines[0].Text.FieldID()
}

// MustOpen reports whether something in folded lines must be seen: a fault, a recorder, or a line that would be spoken.
func (l SpokenForm) MustOpen() bool {
	return l.anyFault() || slices.ContainsFunc(l.Lines, func(one SpokenInput) bool { return one.Text.Value != "" })
}

// anyFault reports whether a line has a fault or a recorder.
func (l SpokenForm) anyFault() bool {
	return l.Fault != "" || slices.ContainsFunc(l.Lines, func(one SpokenInput) bool {
		return one.Text.Fault != "" || one.Recorder != nil
	})
}

// markFields are the boxes of a line.
var markFields = []form.Declared[*scenario.SpokenLine]{
	{
		Name: "optional", Label: EditorOptional, Kind: form.Check,
		Value: func(l *scenario.SpokenLine) any { return &l.Optional },
	},
	{
		Name: "call_back", Label: EditorCallBack, Kind: form.Check,
		Value: func(l *scenario.SpokenLine) any { return &l.CallBack },
	},
}

// bindLines binds spoken lines, and an empty one to be added. Lines without text are removed; what follows them keeps
// its boxes.
func (e *editor) bindLines(path string, lines *scenario.SpokenLines) SpokenForm {
	out := SpokenForm{Path: path}
	if e.Given != nil {
		var kept scenario.SpokenLines
		all := append((*lines)[:len(*lines):len(*lines)], scenario.SpokenLine{})
		for i := range all {
			at, line := scenario.IndexPath(path, i), all[i]
			typed, sent := e.TypedValue(at)
			if sent && typed != form.UnixLines(line.Text) {
				line.Text = strings.TrimSpace(typed)
			}
			form.ReadDeclared(e.Binder, at, &line, markFields)
			if i < len(*lines) && !sent || strings.TrimSpace(line.Text) != "" {
				kept = append(kept, line)
			}
		}
		*lines = kept
	}
	all := append((*lines)[:len(*lines):len(*lines)], scenario.SpokenLine{})
	for i := range all {
		out.Lines = append(out.Lines, e.showLine(path, i, all))
	}
	out.Fault = e.TakeFault(path)
	return out
}

// showLine returns a line for display. A single line also shows the faults of the list.
func (e *editor) showLine(path string, i int, all scenario.SpokenLines) SpokenInput {
	at, line := scenario.IndexPath(path, i), all[i]
	var further []string
	if len(all) <= 2 && i == 0 {
		further = []string{path}
	}
	f := SpokenInput{
		Text:  e.NewField(at, form.Area, line.Text, further...),
		Fixed: line.Text != "" && scenario.IsFixed(line.Text),
	}
	if line.Text != "" {
		f.Marks = form.ShowDeclared(e.Binder, at, &line, markFields)
	}
	return f
}
