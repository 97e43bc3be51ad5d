package booking

import (
	"slices"
	"strings"

	"munadi/appliance/console/kit"
	"munadi/appliance/contactfile"
	"munadi/store/campaign"
	"munadi/store/scenario"
	"munadi/ui/calls"
	"munadi/ui/campaigns"
	"munadi/ui/component"
	"munadi/ui/locale"
	"munadi/ui/scenarios"
)

// ExplainVariables returns sentences for the violations of a booking's variables, by the API's field
// ("variables.NAME"): missing and undeclared ones, and the accepted form of the others.
func ExplainVariables(plan scenario.Scenario, given map[string]any, l locale.Language) map[string]string {
	faults := map[string]string{}
	for _, fault := range plan.CheckVariables(given) {
		name := strings.TrimPrefix(fault.Field, "variables.")
		value := given[name]
		faults[fault.Field] = explainVariable(plan, name, value == nil || value == "", l)
	}
	return faults
}

// explainVariable returns the sentence for the Violation of one variable: missing, undeclared, or malformed.
func explainVariable(plan scenario.Scenario, name string, missing bool, l locale.Language) string {
	i := slices.IndexFunc(plan.Variables, func(v scenario.ScenarioVariable) bool { return v.Name == name })
	sentence, wanted, label := calls.VariableUnknown.In(l), "", name
	if i >= 0 {
		label = scenarios.LabelText(l, plan.Variables[i].Label, name)
	}
	switch {
	case i >= 0 && missing:
		sentence = calls.VariableMissing.In(l)
	case i >= 0:
		sentence, wanted = wantedForm(plan.Variables[i], l)
	case len(plan.Variables) == 0:
		sentence, wanted = wantedForm(scenario.ScenarioVariable{}, l)
	}
	return locale.FillSentence(sentence, "name", label, "value", wanted)
}

// ExplainRow says why a row of a campaign was not booked.
func ExplainRow(row campaign.SkippedRow, plan scenario.Scenario, l locale.Language) string {
	_, field, isRow := strings.Cut(strings.TrimPrefix(row.Field, "calls."), ".")
	if !isRow {
		field = row.Field
	}
	name, isVariable := strings.CutPrefix(field, "variables.")
	switch {
	case field == contactfile.PhoneField:
		return campaigns.NewBadNumber.In(l)
	case isVariable:
		if doubt, is := findDoubt(name, row.Message); is {
			return doubt.Explain(plan, l)
		}
		return explainVariable(plan, name, strings.HasPrefix(row.Message, "is required"), l)
	case strings.Contains(row.Message, "“"): // a line that no voice can speak
		return strings.ReplaceAll(calls.Unspoken.In(l), "{line}", kit.QuotedLine(row.Message))
	}
	return calls.BadExtras.In(l)
}

// wantedForm returns the sentence that names the form of a variable's type, and the value of its {value}.
func wantedForm(v scenario.ScenarioVariable, l locale.Language) (sentence, value string) {
	switch v.Type {
	case scenario.DateVariable:
		return calls.VariableDate.In(l), ""
	case scenario.TimeVariable:
		return calls.VariableTime.In(l), ""
	case scenario.NumberVariable:
		return calls.VariableNumber.In(l), ""
	case scenario.PhoneVariable:
		return calls.VariablePhone.In(l), ""
	case scenario.ChoiceVariable:
		return calls.VariableChoice.In(l), strings.Join(ChoiceNames(l, v), " · ")
	}
	return calls.VariableText.In(l), kit.FormatShortest(scenario.MaxText)
}

// VariableField returns the form field of a variable.
func VariableField(l locale.Language, v scenario.ScenarioVariable, id, name, value string) calls.VariableField {
	field := calls.VariableField{
		ID: id, Name: name, Type: string(v.Type), Value: value, Required: v.Required && v.Default == "",
	}
	for _, choice := range v.Choices {
		field.Choices = append(field.Choices, component.ListChoice{Value: choice, Name: kit.VariableChoice(l, v, choice)})
	}
	return field
}

// ChoiceNames returns the labels of a variable's choices.
func ChoiceNames(l locale.Language, v scenario.ScenarioVariable) []string {
	names := make([]string, len(v.Choices))
	for i, choice := range v.Choices {
		names[i] = kit.VariableChoice(l, v, choice)
	}
	return names
}
