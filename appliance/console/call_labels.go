package console

import (
	"encoding/json"
	"slices"
	"strings"

	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// scenarioLabels yields what people call the slots and answers of an organization's scenarios. A scenario that declares
// no label of its own is read as its keys are written, but for the usual ones, which package locale names.
type scenarioLabels struct {
	scenarios []scenario.Scenario
	lang      locale.Language
}

// slotLabel returns the label of a slot; an empty scenario id stands for any scenario.
func (l scenarioLabels) slotLabel(_, slot string) string {
	if word := locale.SlotWord(l.lang, slot); word != "" {
		return word
	}
	return strings.ReplaceAll(slot, "_", " ")
}

// answerLabel returns the label of an answer: a choice by its first spoken phrase in Arabic.
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
	for _, plan := range l.scenarios {
		if scenarioID != "" && plan.ID != scenarioID {
			continue
		}
		for _, s := range plan.AllSlots() {
			for _, option := range s.Choices {
				if s.Name == slot && option.Value == value && l.lang == locale.Arabic && len(option.Phrases) > 0 {
					return option.Phrases[0]
				}
			}
		}
	}
	return strings.ReplaceAll(value, "_", " ")
}

// shownAnswers is the number of answers in a row of a list.
const shownAnswers = 2

// answersIn returns the first answers of a call's report that are known, in the order of the report, yes or no first.
func (l scenarioLabels) answersIn(c call.Call) []page.CallAnswer {
	values := call.ReportAnswers(c.Report)
	var found []page.CallAnswer
	for _, slot := range reportOrder(c.Report) {
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
