package console

import (
	"cmp"
	"strings"

	"munadi/appliance/service"
	"munadi/store/call"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// resultNames returns the display names of columns and values for a campaign's results.
func (l scenarioLabels) resultNames(scenarioID string) service.ResultNames {
	return service.ResultNames{
		Column: func(key string) string { return l.columnLabel(scenarioID, key) }, Value: l.cellLabel,
	}
}

// columnLabel returns the label of a column of calls by its key in the API; an empty scenario id means any scenario.
func (l scenarioLabels) columnLabel(scenarioID, key string) string {
	if property, isAnswer := strings.CutPrefix(key, service.AnswerColumn); isAnswer {
		return l.slotLabel(scenarioID, property)
	}
	if name, isVariable := strings.CutPrefix(key, service.VariableColumn); isVariable {
		plan, _ := findScenario(l.scenarios, scenarioID)
		return l.nameLabel(plan, name)
	}
	if name, isMetadata := strings.CutPrefix(key, service.MetadataColumn); isMetadata {
		return scenarios.LabelText(l.lang, scenario.Label{}, name)
	}
	return locale.ColumnName(l.lang, key)
}

// cellLabel returns the display name of a value in a column of calls.
func (l scenarioLabels) cellLabel(c call.Call, key, value string) string {
	if value == "" {
		return ""
	}
	switch key {
	case "status":
		return cmp.Or(locale.CallStatuses.Word(l.lang, value), value)
	case "reason", "failure_reason":
		return cmp.Or(calls.Reasons.Word(l.lang, value), value)
	case "ended_by":
		return locale.EndedByName(l.lang, value)
	}
	if property, isAnswer := strings.CutPrefix(key, service.AnswerColumn); isAnswer {
		return l.answerLabel(c.ScenarioID, property, value)
	}
	if name, isVariable := strings.CutPrefix(key, service.VariableColumn); isVariable {
		plan, _ := findScenario(l.scenarios, c.ScenarioID)
		return l.valueLabel(plan, name, value)
	}
	return value
}
