package scenarios

import (
	"munadi/store/scenario"
	"munadi/ui/form"
)

var questionFields = []form.Declared[*scenario.SideQuestion]{{
	Name: "phrases", Label: EditorAsks, Help: EditorOnePerLine, Kind: form.Area,
	Value: func(q *scenario.SideQuestion) any { return &q.Phrases },
}}

// bindQuestions binds the side questions, and an empty one to be added. Those without phrases and lines are removed.
func (e *editor) bindQuestions() (rows []EditorRow) {
	all := append(e.plan.Questions[:len(e.plan.Questions):len(e.plan.Questions)], scenario.SideQuestion{})
	var kept []scenario.SideQuestion
	for i := range all {
		q, at := all[i], scenario.IndexPath("questions", i)
		_, sent := e.TypedValue(at + ".phrases")
		row := EditorRow{Fields: form.BindDeclared(e.Binder, at, &q, questionFields)}
		said := e.bindLines(at+".say", &q.Say)
		row.Lines = &said
		if i < len(all)-1 {
			row.Path = at
		}
		rows = append(rows, row)
		if len(q.Phrases) > 0 || len(q.Say) > 0 || i < len(all)-1 && !sent {
			kept = append(kept, q)
		}
	}
	if e.Given != nil {
		e.plan.Questions = kept
	}
	return rows
}
