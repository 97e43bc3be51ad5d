package console

import (
	"slices"

	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/page"
	"munadi/ui/scenarios"
)

// The tests of a case.
const (
	testEquals  = "is"
	testKnown   = "set"
	testUnknown = "unset"
)

// bindCases binds the cases of a branch, and an empty one to be added. Cases without a slot are removed.
func (b *formBinder) bindCases(path string, cases *[]scenario.BranchCase) (out []page.FormCase) {
	all := append((*cases)[:len(*cases):len(*cases)], scenario.BranchCase{})
	var kept []scenario.BranchCase
	for i := range all {
		one, at := &all[i], scenario.IndexPath(path, i)
		_, shown := b.typedValue(at + ".slot")
		row := page.FormCase{
			Slot: bindChoice(b, at+".slot", &one.Slot, b.slotOptions()),
			Next: bindChoice(b, at+".next", &one.Next, b.stepOptions(scenarios.EditorNoCase.In(b.lang))),
		}
		b.bindTest(at, one, &row)
		if fault := b.faults.takeAt(at); fault != "" && row.Value.Fault == "" {
			row.Value.Fault = fault
		}
		if one.Slot != "" || i < len(*cases) && !shown {
			kept = append(kept, *one)
		}
		out = append(out, row)
	}
	if b.given != nil {
		*cases = kept
	}
	return out
}

// bindTest binds the value with which a slot is compared.
func (b *formBinder) bindTest(at string, one *scenario.BranchCase, row *page.FormCase) {
	test := testEquals
	if one.IsSet != nil {
		test = map[bool]string{true: testKnown, false: testUnknown}[*one.IsSet]
	}
	before, value := test, ""
	if one.Equals != nil {
		value = plainJSON(one.Equals)
	}
	shownValue := value
	row.Test = bindChoice(b, at+".test", &test, []page.ListChoice{
		{Value: testEquals, Name: scenarios.EditorIs.In(b.lang)},
		{Value: testKnown, Name: scenarios.EditorIsSet.In(b.lang)},
		{Value: testUnknown, Name: scenarios.EditorIsUnset.In(b.lang)},
	})
	row.Value = bindText(b, at+".equals", &value)
	if value != shownValue {
		one.Equals = b.parseCaseValue(one.Slot, value)
	}
	if test != before || test != testEquals && one.Equals != nil && b.given != nil {
		known := test == testKnown
		if one.IsSet = &known; test == testEquals {
			one.IsSet = nil
		} else {
			one.Equals = nil
		}
	}
	row.Value.Options = b.valueOptions(one.Slot, row.Value.Value)
}

// parseCaseValue parses a typed value: a boolean for a yes_no slot, otherwise the text, which also equals a number.
func (b *formBinder) parseCaseValue(slot, typed string) any {
	if b.findSlot(slot).Type == scenario.YesNo && (typed == "true" || typed == "false") {
		return typed == "true"
	}
	if typed == "" {
		return nil
	}
	return typed
}

func (b *formBinder) findSlot(name string) scenario.AnswerSlot {
	all := b.plan.AllSlots()
	if i := slices.IndexFunc(all, func(s scenario.AnswerSlot) bool { return s.Name == name }); i >= 0 {
		return all[i]
	}
	return scenario.AnswerSlot{}
}

// valueOptions returns the possible answers of a slot; nil if it may have any.
func (b *formBinder) valueOptions(name, value string) (options []page.ListChoice) {
	slot := b.findSlot(name)
	switch slot.Type {
	case scenario.YesNo:
		options = []page.ListChoice{
			{Value: "true", Name: calls.CallYes.In(b.lang)}, {Value: "false", Name: calls.CallNo.In(b.lang)},
		}
	case scenario.Choice:
		for _, o := range slot.Choices {
			options = append(options, page.ListChoice{Value: o.Value, Name: choiceLabel(b.lang, o)})
		}
	default:
		return nil
	}
	known := false
	for i := range options {
		options[i].Chosen = options[i].Value == value
		known = known || options[i].Chosen
	}
	if !known {
		options = append([]page.ListChoice{{Value: value, Name: value, Chosen: true}}, options...)
	}
	return options
}

// slotOptions returns the slots and variables that a branch can test.
func (b *formBinder) slotOptions() []page.ListChoice {
	options := []page.ListChoice{{Value: "", Name: scenarios.EditorNoCase.In(b.lang)}}
	for _, slot := range b.plan.AllSlots() {
		if slot.Name != "" {
			options = append(options, page.ListChoice{Value: slot.Name, Name: labelText(b.lang, slot.Label, slot.Name)})
		}
	}
	for _, v := range b.plan.Variables {
		options = append(options, page.ListChoice{Value: v.Name, Name: labelText(b.lang, v.Label, v.Name)})
	}
	return options
}
