package scenario

import (
	"maps"
	"slices"
)

// CheckVariables lists what is wrong with the variables that a booking brings: required ones that are missing, and
// values that are no JSON scalar. Further ones than the scenario names are welcome. Fields begin with "variables".
func (s Scenario) CheckVariables(given map[string]any) []ScenarioViolation {
	c := &scenarioChecker{}
	if len(given) > maxVariables {
		c.addFailure("variables", "are more than %d", maxVariables)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch v := given[name].(type) {
		case nil, bool, float64, int:
		case string:
			c.checkLength("variables."+name, v, MaxText)
		default:
			c.addFailure("variables."+name, "must be a text, a number, true, false or null")
		}
	}
	for _, v := range s.Variables {
		if value := given[v.Name]; v.Required && v.Default == "" && (value == nil || value == "") {
			c.addFailure("variables."+v.Name, "is required by the scenario")
		}
	}
	return c.found
}

// WithDefaults are the given variables, with the defaults of those that are missing or empty.
func (s Scenario) WithDefaults(given map[string]any) map[string]any {
	all := map[string]any{}
	for _, v := range s.Variables {
		if v.Default != "" {
			all[v.Name] = v.Default
		}
	}
	for name, value := range given {
		if value != nil && value != "" || all[name] == nil {
			all[name] = value
		}
	}
	return all
}
