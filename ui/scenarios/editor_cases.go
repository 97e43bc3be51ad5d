package scenarios

import (
	"encoding/json"
	"fmt"
	"slices"

	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/form"
)

// The tests of a case.
const (
	testEquals  = "is"
	testKnown   = "set"
	testUnknown = "unset"
)

// boundCase is a case with what its inputs show: the test, and the value as text.
type boundCase struct {
	*scenario.BranchCase
	editor      *editor
	test, value string
}

// The fields of a case; the value's input is a list where the slot has a known set of answers.
var (
	caseHeadFields = []form.Declared[*boundCase]{
		{
			Name: "slot", Label: EditorWhen, Kind: form.List, Value: func(c *boundCase) any { return &c.Slot },
			Options: func(c *boundCase) []form.Option { return c.editor.slotOptions() }, Missing: EditorMissing,
			Attributes: refreshes,
		},
		{
			Name: "test", Label: EditorTest, Kind: form.List, Value: func(c *boundCase) any { return &c.test },
			Options: func(c *boundCase) []form.Option { return caseTests.options(c.editor.Lang) }, Missing: EditorMissing,
		},
		{
			Name: "equals", Label: EditorValue, Value: func(c *boundCase) any { return &c.value },
			Has: func(c *boundCase) bool { return !c.editor.hasAnswers(c.Slot) },
		},
		{
			Name: "equals", Label: EditorValue, Kind: form.List, Value: func(c *boundCase) any { return &c.value },
			Has:     func(c *boundCase) bool { return c.editor.hasAnswers(c.Slot) },
			Options: func(c *boundCase) []form.Option { return c.editor.answerOptions(c.Slot, c.value) },
		},
		{
			Name: "next", Label: EditorGoTo, Kind: form.List, Value: func(c *boundCase) any { return &c.Next },
			Options: func(c *boundCase) []form.Option { return c.editor.stepOptions(EditorNoCase) }, Missing: EditorMissing,
		},
	}
	caseTests = choiceNames{{testEquals, EditorIs}, {testKnown, EditorIsSet}, {testUnknown, EditorIsUnset}}
)

// bindCases binds the cases of a branch, and an empty one to be added. Cases without a slot are removed.
func (e *editor) bindCases(path string, cases *[]scenario.BranchCase) (rows []EditorRow) {
	all := append((*cases)[:len(*cases):len(*cases)], scenario.BranchCase{})
	var kept []scenario.BranchCase
	for i := range all {
		one, at := &all[i], scenario.IndexPath(path, i)
		_, sent := e.TypedValue(at + ".slot")
		row := EditorRow{Fields: e.bindCase(at, one)}
		if i < len(*cases) {
			row.Path = at
		}
		rows = append(rows, row)
		if one.Slot != "" || i < len(*cases) && !sent {
			kept = append(kept, *one)
		}
	}
	if e.Given != nil {
		*cases = kept
	}
	return rows
}

// bindCase binds one case. A fault of the case is shown at its value.
func (e *editor) bindCase(at string, one *scenario.BranchCase) []form.Field {
	c := &boundCase{BranchCase: one, editor: e, test: testEquals}
	if one.IsSet != nil {
		c.test = map[bool]string{true: testKnown, false: testUnknown}[*one.IsSet]
	}
	if one.Equals != nil {
		c.value = PlainJSON(one.Equals)
	}
	test, value := c.test, c.value
	fields := form.BindDeclared(e.Binder, at, c, caseHeadFields)
	if c.value != value {
		one.Equals = e.parseCaseValue(one.Slot, c.value)
	}
	if c.test != test || c.test != testEquals && one.Equals != nil && e.Given != nil {
		known := c.test == testKnown
		if one.IsSet = &known; c.test == testEquals {
			one.IsSet = nil
		} else {
			one.Equals = nil
		}
	}
	if fault := e.TakeFault(at); fault != "" && fields[2].Fault == "" {
		fields[2].Fault = fault
	}
	return fields
}

// PlainJSON writes a value as in JSON, without the quotation marks of a text.
func PlainJSON(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// parseCaseValue parses a typed value: a boolean for a yes_no slot, otherwise the text, which also equals a number.
func (e *editor) parseCaseValue(slot, typed string) any {
	if e.findSlot(slot).Type == scenario.YesNo && (typed == "true" || typed == "false") {
		return typed == "true"
	}
	if typed == "" {
		return nil
	}
	return typed
}

func (e *editor) findSlot(name string) scenario.AnswerSlot {
	all := e.plan.AllSlots()
	if i := slices.IndexFunc(all, func(s scenario.AnswerSlot) bool { return s.Name == name }); i >= 0 {
		return all[i]
	}
	return scenario.AnswerSlot{}
}

// hasAnswers reports whether a slot has a known set of answers.
func (e *editor) hasAnswers(slot string) bool {
	kind := e.findSlot(slot).Type
	return kind == scenario.YesNo || kind == scenario.Choice
}

// answerOptions returns the possible answers of a slot; before them the value, if it is another one.
func (e *editor) answerOptions(name, value string) (options []form.Option) {
	slot := e.findSlot(name)
	if slot.Type == scenario.YesNo {
		options = []form.Option{
			{Value: "true", Name: calls.CallYes.In(e.Lang)}, {Value: "false", Name: calls.CallNo.In(e.Lang)},
		}
	}
	for _, o := range slot.Choices {
		if slot.Type == scenario.Choice {
			options = append(options, form.Option{Value: o.Value, Name: ChoiceLabel(e.Lang, o)})
		}
	}
	if !slices.ContainsFunc(options, func(o form.Option) bool { return o.Value == value }) {
		options = append([]form.Option{{Value: value, Name: value}}, options...)
	}
	return options
}

// slotOptions returns the slots and variables that a branch can test.
func (e *editor) slotOptions() []form.Option {
	options := []form.Option{{Value: "", Name: EditorNoCase.In(e.Lang)}}
	for _, slot := range e.plan.AllSlots() {
		if slot.Name != "" {
			options = append(options, form.Option{Value: slot.Name, Name: LabelText(e.Lang, slot.Label, slot.Name)})
		}
	}
	for _, v := range e.plan.Variables {
		options = append(options, form.Option{Value: v.Name, Name: LabelText(e.Lang, v.Label, v.Name)})
	}
	return options
}
