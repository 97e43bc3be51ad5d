package console

import (
	"slices"
	"strings"

	"munadi/store/scenario"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// explainVariables says what is wrong with the variables of a booking, in the words of a page, by the API's field
// ("variables.NAME"): which are missing, which the scenario does not have, and the form that each of the others must
// have.
func explainVariables(plan scenario.Scenario, given map[string]any, w locale.VariableWords) map[string]string {
	faults := map[string]string{}
	for _, fault := range plan.CheckVariables(given) {
		name := strings.TrimPrefix(fault.Field, "variables.")
		i := slices.IndexFunc(plan.Variables, func(v scenario.ScenarioVariable) bool { return v.Name == name })
		sentence, wanted := w.Unknown, ""
		switch value := given[name]; {
		case i >= 0 && (value == nil || value == ""):
			sentence = w.Missing
		case i >= 0:
			sentence, wanted = wantedForm(plan.Variables[i], w)
		case len(plan.Variables) == 0:
			sentence, wanted = wantedForm(scenario.ScenarioVariable{}, w)
		}
		faults[fault.Field] = locale.FillSentence(sentence, "name", name, "value", wanted)
	}
	return faults
}

// wantedForm is the sentence that names the form of a variable's type, and what fills its {value}.
func wantedForm(v scenario.ScenarioVariable, w locale.VariableWords) (sentence, value string) {
	switch v.Type {
	case scenario.DateVariable:
		return w.Date, ""
	case scenario.TimeVariable:
		return w.Time, ""
	case scenario.NumberVariable:
		return w.Number, ""
	case scenario.PhoneVariable:
		return w.Phone, ""
	case scenario.ChoiceVariable:
		return w.Choice, strings.Join(v.Choices, " · ")
	}
	return w.Text, formatBoundShort(scenario.MaxText)
}

// variableField is the control for a variable, with its value, or with its default where none was typed.
func variableField(v scenario.ScenarioVariable, id, name, value string) page.VariableField {
	return page.VariableField{
		ID: id, Name: name, Type: string(v.Type), Choices: v.Choices, Value: value,
		Required: v.Required && v.Default == "",
	}
}
