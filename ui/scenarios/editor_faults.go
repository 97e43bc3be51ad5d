package scenarios

import (
	"strconv"

	"munadi/ui/form"
	"munadi/ui/locale"
)

// FaultLink is a fault in the list at the top of the form, with the place that it leads to.
type FaultLink struct{ Anchor, Where, Text string }

// faultList collects the faults of a form.
type faultList struct {
	lang  locale.Language
	links []FaultLink
}

// FaultLinks returns the faults of the form in the order of the page.
func (f ScenarioForm) FaultLinks(l locale.Language) []FaultLink {
	all := &faultList{lang: l}
	all.addFields("", f.Head)
	settings := EditorSettings.In(l) + " › "
	all.addFields(settings, f.Settings, f.Endpoint, f.OptOut)
	all.addRows(EditorVariable.In(l), f.Variables)
	all.addRows(Test.In(l), f.Tests)
	for _, step := range f.Steps {
		all.addStep(step)
	}
	all.addLines(EditorIdentify.In(l), f.Identify)
	all.addLines(EditorVoicemail.In(l), f.Voicemail)
	all.addRows(EditorQuestion.In(l), f.Questions)
	return all.links
}

func (a *faultList) add(anchor, where, text string) {
	if text != "" {
		a.links = append(a.links, FaultLink{anchor, where, text})
	}
}

// addFields adds the faults of fields; where is before the name of each.
func (a *faultList) addFields(where string, groups ...[]form.Field) {
	for _, fields := range groups {
		for _, one := range fields {
			a.add(one.FieldID(), where+one.Label(), one.Fault)
		}
	}
}

func (a *faultList) addRows(where string, rows []EditorRow) {
	for i, row := range rows {
		at := where + " " + strconv.Itoa(i+1) + " › "
		a.addFields(at, row.Fields, row.More)
		if row.Lines != nil {
			a.addLines(at+EditorSay.In(a.lang), *row.Lines)
		}
	}
}

func (a *faultList) addLines(where string, lines SpokenForm) {
	a.add(lines.firstField(), where, lines.Fault)
	for _, line := range lines.Lines {
		a.add(line.Text.FieldID(), where, line.Text.Fault)
		a.addFields(where+" › ", line.Marks)
	}
}

func (a *faultList) addStep(step EditorStep) {
	l, at := a.lang, strconv.Itoa(step.Index+1)+". "+step.Title+" › "
	if step.unnamed {
		at = strconv.Itoa(step.Index+1) + ". " + StepName(l, step.Kind) + " › "
	}
	for _, rest := range step.Rest {
		a.add(step.Anchor, at+rest.Path, rest.Message)
	}
	a.addFields(at, step.First)
	a.addLines(at+LinesTitle(l, "say"), step.LinesOf("say")) // before the answers, as on the page
	for _, slot := range step.Slots {
		a.add(slot.ID, at+slotPurpose(step.Kind).In(l), slot.Fault)
		a.addFields(at, slot.Head, slot.Values, slot.More)
		a.addRows(at+EditorOption.In(l), slot.Options)
	}
	a.addRows(at+EditorCase.In(l), step.Cases)
	a.addRows(at+Tool.In(l), step.Tools)
	for _, lines := range step.LineLists {
		if lines.Field != "say" {
			a.addLines(at+LinesTitle(l, lines.Field), lines.Lines)
		}
	}
	a.addFields(at, step.Next, step.More, step.Checks)
}
