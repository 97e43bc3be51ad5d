package kit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// ScenarioLabels returns the display names of slots and answers of an organization's scenarios.
type ScenarioLabels struct {
	Scenarios []scenario.Scenario
	Lang      locale.Language
}

// findSlots returns the slots that fill a property of a scenario's report; of all scenarios for an empty id.
func (l ScenarioLabels) findSlots(scenarioID, property string) (found []scenario.AnswerSlot) {
	for _, plan := range l.Scenarios {
		if scenarioID != "" && plan.ID != scenarioID {
			continue
		}
		if slot, ok := plan.ReportSlot(property); ok {
			found = append(found, slot)
		}
	}
	return found
}

// SlotLabel returns the label of a report's property; an empty scenario id means any scenario.
func (l ScenarioLabels) SlotLabel(scenarioID, property string) string {
	var own scenario.Label
	for _, slot := range l.findSlots(scenarioID, property) {
		own = scenario.Label{Arabic: cmp.Or(own.Arabic, slot.Label.Arabic), English: cmp.Or(own.English, slot.Label.English)}
	}
	return scenarios.LabelText(l.Lang, own, property)
}

// NameLabel returns the label of a slot or variable of a scenario by its name.
func (l ScenarioLabels) NameLabel(plan scenario.Scenario, name string) string {
	for _, v := range plan.Variables {
		if v.Name == name {
			return scenarios.LabelText(l.Lang, v.Label, name)
		}
	}
	for _, slot := range plan.AllSlots() {
		if slot.Name == name {
			return scenarios.LabelText(l.Lang, slot.Label, name)
		}
	}
	return scenarios.LabelText(l.Lang, scenario.Label{}, name)
}

// ErrorText describes an error entry of a call with the labels of the scenario's slots and steps.
func (l ScenarioLabels) ErrorText(plan scenario.Scenario, message string) string {
	return locale.CallErrorText(l.Lang, message, func(key string) string {
		isKey := func(slot scenario.AnswerSlot) bool { return slot.Name == key }
		if slices.ContainsFunc(plan.AllSlots(), isKey) {
			return l.NameLabel(plan, key)
		}
		for _, step := range plan.Steps {
			if step.ID == key {
				return scenarios.LabelText(l.Lang, step.Label, key)
			}
		}
		return key
	})
}

// ValueLabel returns the label of a value of a slot or variable of a scenario by its name.
func (l ScenarioLabels) ValueLabel(plan scenario.Scenario, name, value string) string {
	for _, v := range plan.Variables {
		if v.Name == name {
			return VariableChoice(l.Lang, v, value)
		}
	}
	for _, slot := range plan.AllSlots() {
		if slot.Name == name {
			return l.slotAnswer(slot, value)
		}
	}
	return value
}

// slotAnswer returns the label of an answer to a slot: yes or no, a choice, or the answer itself.
func (l ScenarioLabels) slotAnswer(slot scenario.AnswerSlot, value string) string {
	switch {
	case slot.Type == scenario.YesNo && value == "true":
		return calls.CallYes.In(l.Lang)
	case slot.Type == scenario.YesNo && value == "false":
		return calls.CallNo.In(l.Lang)
	}
	for _, o := range slot.Choices {
		if o.Value == value {
			return scenarios.ChoiceLabel(l.Lang, o)
		}
	}
	return value
}

// AnswerLabel returns the label of an answer by its property in the report; an empty scenario id means any scenario.
func (l ScenarioLabels) AnswerLabel(scenarioID, property, value string) string {
	switch value {
	case "true":
		return calls.CallYes.In(l.Lang)
	case "false":
		return calls.CallNo.In(l.Lang)
	case "null", "":
		return calls.CallUnknown.In(l.Lang)
	}
	slots := l.findSlots(scenarioID, property)
	for _, slot := range slots {
		if label := l.slotAnswer(slot, value); label != value {
			return label
		}
	}
	if len(slots) > 0 {
		return value // free text
	}
	return scenarios.KeyInWords(value)
}

// AnswersPerRow is the number of answers in a row of a list.
const AnswersPerRow = 2

// rowAnswers returns the first known answers of a call's report, yes and no first, otherwise in the report's order.
func rowAnswers(c call.Call, slots []calls.ReportSlot) []calls.CallAnswer {
	values := call.ReportAnswers(c.CurrentReport())
	var found []calls.CallAnswer
	for _, one := range slots {
		value := values[one.Name]
		if value == "" || !one.Known {
			continue
		}
		answer := calls.CallAnswer{Slot: one.Label, Value: one.Value}
		if value == "true" || value == "false" {
			answer.State = map[string]string{"true": "good", "false": "quiet"}[value]
			found = slices.Insert(found, countYesNo(found), answer)
		} else {
			found = append(found, answer)
		}
	}
	return found[:min(len(found), AnswersPerRow)]
}

// countYesNo counts the leading answers that are yes or no.
func countYesNo(answers []calls.CallAnswer) (n int) {
	for n < len(answers) && answers[n].State != "" {
		n++
	}
	return n
}

// ReportSlots returns the values of a call's report with their labels, in the report's order.
func (l ScenarioLabels) ReportSlots(c call.Call) []calls.ReportSlot {
	in := json.NewDecoder(bytes.NewReader(c.CurrentReport()))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return nil
	}
	var slots []calls.ReportSlot
	for in.More() {
		name, err := in.Token()
		var value json.RawMessage
		if err != nil || in.Decode(&value) != nil {
			break
		}
		var word string
		if json.Unmarshal(value, &word) != nil {
			word = string(value)
		}
		property := fmt.Sprint(name)
		slot := calls.ReportSlot{
			Name: property, Label: l.SlotLabel(c.ScenarioID, property), Value: l.AnswerLabel(c.ScenarioID, property, word),
			Known: word != "" && string(value) != "null",
		}
		if !slot.Known && slices.Contains(c.Unasked, property) {
			slot.Value = calls.CallUnasked.In(l.Lang)
		}
		slots = append(slots, slot)
	}
	return slots
}

// VariableFacts returns the variables of a call with their labels: the scenario's in its order, then others.
func (l ScenarioLabels) VariableFacts(c call.Call) []calls.CallFact {
	plan, _ := FindScenario(l.Scenarios, c.ScenarioID)
	rest := maps.Clone(c.Variables)
	var facts []calls.CallFact
	for _, v := range plan.Variables {
		if value, given := rest[v.Name]; given {
			facts = append(facts, calls.CallFact{
				Label: scenarios.LabelText(l.Lang, v.Label, v.Name), Text: VariableChoice(l.Lang, v, fmt.Sprint(value)),
			})
			delete(rest, v.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		label := scenarios.LabelText(l.Lang, scenario.Label{}, name)
		facts = append(facts, calls.CallFact{Label: label, Text: fmt.Sprint(rest[name])})
	}
	return facts
}

// VariableChoice returns the label of a variable's value.
func VariableChoice(l locale.Language, v scenario.ScenarioVariable, value string) string {
	own := v.ChoiceLabels[value]
	return cmp.Or(own.TextIn(string(l)), own.AnyText(), value)
}

// LiveLabels returns the labels of the slots of a running call and of the values of choices, for the page's script.
func (l ScenarioLabels) LiveLabels(scenarioID string) []calls.SlotLabel {
	plan, _ := FindScenario(l.Scenarios, scenarioID)
	var labels []calls.SlotLabel
	for _, slot := range plan.AllSlots() {
		labels = append(labels, calls.SlotLabel{Slot: slot.Name, Text: scenarios.LabelText(l.Lang, slot.Label, slot.Name)})
		for _, o := range slot.Choices {
			labels = append(labels, calls.SlotLabel{Slot: slot.Name, Value: o.Value, Text: scenarios.ChoiceLabel(l.Lang, o)})
		}
	}
	return labels
}

// SlotLabels joins the labels of slots to a list.
func (l ScenarioLabels) SlotLabels(scenarioID string, slots []string) string {
	named := make([]string, len(slots))
	for i, slot := range slots {
		named[i] = l.SlotLabel(scenarioID, slot)
	}
	return strings.Join(named, locale.ListComma(l.Lang))
}
