package scenarios

import (
	"slices"

	"munadi/store/scenario"
	"munadi/ui/form"
)

// QuestionForm is a question that people ask in between, and what is said to it.
type QuestionForm struct {
	Row EditorRow
	Say SpokenForm
}

// anyQuestionFault reports whether one of the questions has a fault, or a line that is being recorded.
func anyQuestionFault(all []QuestionForm) bool {
	return slices.ContainsFunc(all, func(q QuestionForm) bool {
		return anyRowFault([]EditorRow{q.Row}) || q.Say.Fault != "" ||
			slices.ContainsFunc(q.Say.Lines, func(l SpokenInput) bool { return l.Text.Fault != "" || l.Recorder != nil })
	})
}

var questionFields = []form.Declared[*scenario.SideQuestion]{{
	Name: "phrases", Label: EditorAsks, Help: EditorOnePerLine, Kind: form.Area,
	Value: func(q *scenario.SideQuestion) any { return &q.Phrases },
}}

// bindQuestions binds the side questions, and an empty one to be added. Those without phrases and lines are removed.
func (e *editor) bindQuestions() (forms []QuestionForm) {
	all := append(e.plan.Questions[:len(e.plan.Questions):len(e.plan.Questions)], scenario.SideQuestion{})
	var kept []scenario.SideQuestion
	for i := range all {
		q, at := all[i], scenario.IndexPath("questions", i)
		_, sent := e.TypedValue(at + ".phrases")
		one := QuestionForm{Row: EditorRow{Fields: form.BindDeclared(e.Binder, at, &q, questionFields)}}
		one.Say = e.bindLines(at+".say", &q.Say)
		if i < len(all)-1 {
			one.Row.Path = at
		}
		forms = append(forms, one)
		if len(q.Phrases) > 0 || len(q.Say) > 0 || i < len(all)-1 && !sent {
			kept = append(kept, q)
		}
	}
	if e.Given != nil {
		e.plan.Questions = kept
	}
	return forms
}
