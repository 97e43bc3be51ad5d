package console

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// scenarioLabels yields what people call the slots and answers of an organization's scenarios.
type scenarioLabels struct {
	scenarios []scenario.Scenario
	lang      locale.Language
}

// labelText returns what people call a thing with a key: its own label in the language, the usual word for the key, its
// label in the other language, or the key in words.
func labelText(l locale.Language, own scenario.Label, key string) string {
	return cmp.Or(own.TextIn(string(l)), locale.SlotWord(l, key), own.AnyText(), keyInWords(key))
}

// keyInWords writes a key as words: "new_time" is "new time".
func keyInWords(key string) string { return strings.TrimSpace(strings.ReplaceAll(key, "_", " ")) }

// findSlots returns the slots of a scenario that fill a property of its report, or of all scenarios for an empty id.
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

// slotLabel returns the label of a slot by its property in the report; an empty scenario id stands for any scenario.
func (l scenarioLabels) slotLabel(scenarioID, property string) string {
	var own scenario.Label
	for _, slot := range l.findSlots(scenarioID, property) {
		own = scenario.Label{Arabic: cmp.Or(own.Arabic, slot.Label.Arabic), English: cmp.Or(own.English, slot.Label.English)}
	}
	return labelText(l.lang, own, property)
}

// answerLabel returns the label of an answer: a choice without a label is called by its first spoken phrase in Arabic.
func (l scenarioLabels) answerLabel(scenarioID, slot, value string) string {
	w := locale.CallIn(l.lang)
	switch value {
	case "true":
		return w.Yes
	case "false":
		return w.No
	case "null", "":
		return w.Unknown
	}
	for _, found := range l.findSlots(scenarioID, slot) {
		i := slices.IndexFunc(found.Choices, func(o scenario.ChoiceOption) bool { return o.Value == value })
		if i >= 0 {
			return choiceLabel(l.lang, found.Choices[i])
		}
	}
	return keyInWords(value)
}

// choiceLabel returns the label of a choice.
func choiceLabel(l locale.Language, o scenario.ChoiceOption) string {
	own := o.Label
	if l == locale.Arabic && own.Arabic == "" && len(o.Phrases) > 0 {
		own.Arabic = o.Phrases[0]
	}
	return cmp.Or(own.TextIn(string(l)), own.AnyText(), keyInWords(o.Value))
}

// shownAnswers is the number of answers in a row of a list.
const shownAnswers = 2

// answersIn returns the first answers of a call's report that are known, in the order of the report, yes or no first.
func (l scenarioLabels) answersIn(c call.Call) []page.CallAnswer {
	values := call.ReportAnswers(c.CurrentReport())
	var found []page.CallAnswer
	for _, slot := range reportOrder(c.CurrentReport()) {
		value := values[slot]
		if value == "" || value == "null" {
			continue
		}
		answer := page.CallAnswer{
			Slot: l.slotLabel(c.ScenarioID, slot), Value: l.answerLabel(c.ScenarioID, slot, value),
		}
		if value == "true" || value == "false" {
			answer.State = map[string]string{"true": "good", "false": "quiet"}[value]
			found = slices.Insert(found, countDecisions(found), answer)
		} else {
			found = append(found, answer)
		}
	}
	return found[:min(len(found), shownAnswers)]
}

// countDecisions counts the leading answers that are yes or no.
func countDecisions(answers []page.CallAnswer) (n int) {
	for n < len(answers) && answers[n].State != "" {
		n++
	}
	return n
}

// reportOrder returns the slots of a report in its own order.
func reportOrder(report json.RawMessage) (names []string) {
	for _, slot := range slotsOf(report) {
		names = append(names, slot.Name)
	}
	return names
}
