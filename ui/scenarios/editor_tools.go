package scenarios

import (
	"munadi/store/scenario"
	"munadi/ui/form"
)

// boundTool is a tool of a language model's step with the values that it may get.
type boundTool struct {
	*scenario.ModelTool
	editor *editor
}

var toolFields = []form.Declared[boundTool]{
	{
		Name: "tool", Label: EditorModelTool, Help: EditorModelToolHint, Dir: "ltr",
		Value: func(t boundTool) any { return &t.Tool },
	},
	{
		Name: "description", Label: EditorToolKnows, Help: EditorToolKnowsHint, Kind: form.Area,
		Value: func(t boundTool) any { return &t.Description },
	},
	{
		Name: "send", Label: EditorSend, Help: EditorModelSendHint, Value: func(t boundTool) any { return &t.Send },
		Has:     func(t boundTool) bool { return t.Tool != "" && len(t.sendOptions()) > 0 },
		Options: boundTool.sendOptions,
	},
}

func (t boundTool) sendOptions() []form.Option { return t.editor.valueOptions(t.Send) }

// bindTools binds the tools of a language model's step, and an empty one to be added. Tools without a name and a
// description are removed.
func (e *editor) bindTools(path string, step boundStep) (rows []EditorRow) {
	all := append(step.Tools[:len(step.Tools):len(step.Tools)], scenario.ModelTool{})
	var kept []scenario.ModelTool
	for i := range all {
		one, at := &all[i], scenario.IndexPath(path, i)
		_, sent := e.TypedValue(at + ".tool")
		row := EditorRow{Fields: form.BindDeclared(e.Binder, at, boundTool{one, e}, toolFields)}
		if i < len(step.Tools) {
			row.Path = at
		}
		rows = append(rows, row)
		if one.Tool != "" || one.Description != "" || i < len(step.Tools) && !sent {
			kept = append(kept, *one)
		}
	}
	if e.Given != nil {
		step.Tools = kept
	}
	return rows
}
