package console

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/page"
	"munadi/ui/scenarios"
)

// scenarioLabels returns the display names of slots and answers of an organization's scenarios.
type scenarioLabels struct {
	scenarios []scenario.Scenario
	lang      locale.Language
}

// findSlots returns the slots that fill a property of a scenario's report; of all scenarios for an empty id.
func (l scenarioLabels) findSlots(scenarioID, property string) (found []scenario.AnswerSlot) {
	for _, plan := range l.scenarios {
		if scenarioID != "" && plan.ID != scenarioID {
			continue
		}
		if slot, ok := plan.ReportSlot(property); ok {
			found = append(found, slot)
		}
	}
	return found
}

// slotLabel returns the label of a report's property; an empty scenario id means any scenario.
func (l scenarioLabels) slotLabel(scenarioID, property string) string {
	var own scenario.Label
	for _, slot := range l.findSlots(scenarioID, property) {
		own = scenario.Label{Arabic: cmp.Or(own.Arabic, slot.Label.Arabic), English: cmp.Or(own.English, slot.Label.English)}
	}
	return scenarios.LabelText(l.lang, own, property)
}

// nameLabel returns the label of a slot or variable of a scenario by its name.
func (l scenarioLabels) nameLabel(plan scenario.Scenario, name string) string {
	for _, v := range plan.Variables {
		if v.Name == name {
			return scenarios.LabelText(l.lang, v.Label, name)
		}
	}
	for _, slot := range plan.AllSlots() {
		if slot.Name == name {
			return scenarios.LabelText(l.lang, slot.Label, name)
		}
	}
	return scenarios.LabelText(l.lang, scenario.Label{}, name)
}

// errorText describes an error entry of a call with the labels of the scenario's slots and steps.
func (l scenarioLabels) errorText(plan scenario.Scenario, message string) string {
	return locale.CallErrorText(l.lang, message, func(key string) string {
		isKey := func(slot scenario.AnswerSlot) bool { return slot.Name == key }
		if slices.ContainsFunc(plan.AllSlots(), isKey) {
			return l.nameLabel(plan, key)
		}
		for _, step := range plan.Steps {
			if step.ID == key {
				return scenarios.LabelText(l.lang, step.Label, key)
			}
		}
		return key
	})
}

// valueLabel returns the label of a value of a slot or variable of a scenario by its name.
func (l scenarioLabels) valueLabel(plan scenario.Scenario, name, value string) string {
	for _, v := range plan.Variables {
		if v.Name == name {
			return variableChoice(l.lang, v, value)
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
func (l scenarioLabels) slotAnswer(slot scenario.AnswerSlot, value string) string {
	switch {
	case slot.Type == scenario.YesNo && value == "true":
		return calls.CallYes.In(l.lang)
	case slot.Type == scenario.YesNo && value == "false":
		return calls.CallNo.In(l.lang)
	}
	for _, o := range slot.Choices {
		if o.Value == value {
			return scenarios.ChoiceLabel(l.lang, o)
		}
	}
	return value
}

// answerLabel returns the label of an answer by its property in the report; an empty scenario id means any scenario.
func (l scenarioLabels) answerLabel(scenarioID, property, value string) string {
	switch value {
	case "true":
		return calls.CallYes.In(l.lang)
	case "false":
		return calls.CallNo.In(l.lang)
	case "null", "":
		return calls.CallUnknown.In(l.lang)
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

// answersPerRow is the number of answers in a row of a list.
const answersPerRow = 2

// rowAnswers returns the first known answers of a call's report, yes and no first, otherwise in the report's order.
func (l scenarioLabels) rowAnswers(c call.Call) []page.CallAnswer {
	values := call.ReportAnswers(c.CurrentReport())
	var found []page.CallAnswer
	for _, one := range l.reportSlots(c) {
		value := values[one.Name]
		if value == "" || !one.Known {
			continue
		}
		answer := page.CallAnswer{Slot: one.Label, Value: one.Value}
		if value == "true" || value == "false" {
			answer.State = map[string]string{"true": "good", "false": "quiet"}[value]
			found = slices.Insert(found, countYesNo(found), answer)
		} else {
			found = append(found, answer)
		}
	}
	return found[:min(len(found), answersPerRow)]
}

// countYesNo counts the leading answers that are yes or no.
func countYesNo(answers []page.CallAnswer) (n int) {
	for n < len(answers) && answers[n].State != "" {
		n++
	}
	return n
}

// reportSlots returns the values of a call's report with their labels, in the report's order.
func (l scenarioLabels) reportSlots(c call.Call) []page.ReportSlot {
	in := json.NewDecoder(bytes.NewReader(c.CurrentReport()))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return nil
	}
	var slots []page.ReportSlot
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
		slot := page.ReportSlot{
			Name: property, Label: l.slotLabel(c.ScenarioID, property), Value: l.answerLabel(c.ScenarioID, property, word),
			Known: word != "" && string(value) != "null",
		}
		if !slot.Known && slices.Contains(c.Unasked, property) {
			slot.Value = calls.CallUnasked.In(l.lang)
		}
		slots = append(slots, slot)
	}
	return slots
}

// variableFacts returns the variables of a call with their labels: the scenario's in its order, then others.
func (l scenarioLabels) variableFacts(c call.Call) []page.CallFact {
	plan, _ := findScenario(l.scenarios, c.ScenarioID)
	rest := maps.Clone(c.Variables)
	var facts []page.CallFact
	for _, v := range plan.Variables {
		if value, given := rest[v.Name]; given {
			facts = append(facts, page.CallFact{
				Label: scenarios.LabelText(l.lang, v.Label, v.Name), Text: variableChoice(l.lang, v, fmt.Sprint(value)),
			})
			delete(rest, v.Name)
		}
	}
	for _, name := range sortedKeys(rest) {
		label := scenarios.LabelText(l.lang, scenario.Label{}, name)
		facts = append(facts, page.CallFact{Label: label, Text: fmt.Sprint(rest[name])})
	}
	return facts
}

// variableChoice returns the label of a variable's value.
func variableChoice(l locale.Language, v scenario.ScenarioVariable, value string) string {
	own := v.ChoiceLabels[value]
	return cmp.Or(own.TextIn(string(l)), own.AnyText(), value)
}

// liveLabels returns the labels of the slots of a running call and of the values of choices, for the page's script.
func (l scenarioLabels) liveLabels(scenarioID string) []page.SlotLabel {
	plan, _ := findScenario(l.scenarios, scenarioID)
	var labels []page.SlotLabel
	for _, slot := range plan.AllSlots() {
		labels = append(labels, page.SlotLabel{Slot: slot.Name, Text: scenarios.LabelText(l.lang, slot.Label, slot.Name)})
		for _, o := range slot.Choices {
			labels = append(labels, page.SlotLabel{Slot: slot.Name, Value: o.Value, Text: scenarios.ChoiceLabel(l.lang, o)})
		}
	}
	return labels
}
