package kit

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

// ResultNames returns the display names of columns and values for a campaign's results.
func (l ScenarioLabels) ResultNames(scenarioID string) service.ResultNames {
	return service.ResultNames{
		Column: func(key string) string { return l.ColumnLabel(scenarioID, key) }, Value: l.cellLabel,
	}
}

// ColumnLabel returns the label of a column of calls by its key in the API; an empty scenario id means any scenario.
func (l ScenarioLabels) ColumnLabel(scenarioID, key string) string {
	if property, isAnswer := strings.CutPrefix(key, service.AnswerColumn); isAnswer {
		return l.SlotLabel(scenarioID, property)
	}
	if name, isVariable := strings.CutPrefix(key, service.VariableColumn); isVariable {
		plan, _ := FindScenario(l.Scenarios, scenarioID)
		return l.NameLabel(plan, name)
	}
	if name, isMetadata := strings.CutPrefix(key, service.MetadataColumn); isMetadata {
		return scenarios.LabelText(l.Lang, scenario.Label{}, name)
	}
	return locale.ColumnName(l.Lang, key)
}

// cellLabel returns the display name of a value in a column of calls.
func (l ScenarioLabels) cellLabel(c call.Call, key, value string) string {
	if value == "" {
		return ""
	}
	switch key {
	case "status":
		return cmp.Or(locale.CallStatuses.Word(l.Lang, value), value)
	case "reason", "failure_reason":
		return cmp.Or(calls.Reasons.Word(l.Lang, value), value)
	case "ended_by":
		return locale.EndedByName(l.Lang, value)
	case "direction":
		return calls.DirectionName(l.Lang, call.CallDirection(value))
	}
	if property, isAnswer := strings.CutPrefix(key, service.AnswerColumn); isAnswer {
		return l.AnswerLabel(c.ScenarioID, property, value)
	}
	if name, isVariable := strings.CutPrefix(key, service.VariableColumn); isVariable {
		plan, _ := FindScenario(l.Scenarios, c.ScenarioID)
		return l.ValueLabel(plan, name, value)
	}
	return value
}
