package scenario

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store/phonenumber"
	"munadi/store/strictjson"
)

// CheckVariables returns the violations of a booking's variables: names that the scenario does not declare, missing
// required ones, and values of the wrong type. null and an empty text count as missing. A scenario without declared
// variables accepts any scalars. Fields begin with "variables".
func (s Scenario) CheckVariables(given map[string]any) []strictjson.Violation {
	c := &scenarioChecker{s: s}
	c.checkGiven("variables", given)
	for _, v := range s.Variables {
		if value := given[v.Name]; v.Required && v.Default == "" && (value == nil || value == "") {
			c.addFailure("variables."+v.Name, "is required by the scenario")
		}
	}
	return c.found
}

// CheckTrialVariables returns the violations of a trial's variables, which may leave required ones out.
func (s Scenario) CheckTrialVariables(given map[string]any) []strictjson.Violation {
	c := &scenarioChecker{s: s}
	c.checkGiven("variables", given)
	return c.found
}

// checkGiven checks the names and types of given variables, the field of a path.
func (c *scenarioChecker) checkGiven(path string, given map[string]any) {
	if len(given) > maxVariables {
		c.addFailure(path, "must have at most %d entries", maxVariables)
	}
	declared := map[string]ScenarioVariable{}
	for _, v := range c.s.Variables {
		declared[v.Name] = v
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		v, known := declared[name]
		value := given[name]
		switch fault := v.typeFault(value); {
		case !known && len(declared) > 0:
			c.addFailure(path+"."+name, "is not a variable of the scenario, which has %s",
				strings.Join(c.s.variableNames(), ", "))
		case value == nil || value == "" && v.Type != "":
		case fault != "":
			c.addFailure(path+"."+name, "%s", fault)
		}
	}
}

func (s Scenario) variableNames() []string {
	names := make([]string, len(s.Variables))
	for i, v := range s.Variables {
		names[i] = v.Name
	}
	return names
}

var (
	decimalForm = regexp.MustCompile(`^[+-]?[0-9]{1,15}([.][0-9]{1,15})?$`)
	clockForm   = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
)

// The years of dates. Those of the Hijri calendar (1448) are outside: they would be spoken as other days.
const (
	firstDateYear = 1900
	lastDateYear  = 2200
)

// typeFault returns why a value is not of the variable's type; empty if it is.
func (v ScenarioVariable) typeFault(value any) string {
	text, isText := value.(string)
	if utf8.RuneCountInString(text) > MaxText {
		return fmt.Sprintf("has more than %d characters", MaxText)
	}
	fits, wanted := true, ""
	switch v.Type {
	case "":
		switch value.(type) {
		case nil, bool, float64, int, string:
		default:
			return "must be a text, a number, true, false or null"
		}
	case TextVariable:
		fits, wanted = isText, "a text"
	case DateVariable:
		at, err := time.Parse(time.DateOnly, text)
		fits = isText && err == nil && at.Year() >= firstDateYear && at.Year() <= lastDateYear
		wanted = "a date of the Gregorian calendar as YYYY-MM-DD, of a year from 1900 to 2200"
	case TimeVariable:
		fits, wanted = isText && clockForm.MatchString(text), "a time of day as HH:MM, from 00:00 to 23:59"
	case NumberVariable:
		fits, wanted = isNumber(value), "a number"
	case PhoneVariable:
		fits, wanted = isText && phonenumber.IsE164(text), "a telephone number as +966500000000 (E.164)"
	case ChoiceVariable:
		fits, wanted = isText && slices.Contains(v.Choices, text), "one of "+strings.Join(v.Choices, ", ")
	}
	if !fits {
		return "must be " + wanted
	}
	return ""
}

func isNumber(value any) bool {
	switch n := value.(type) {
	case float64, int:
		return true
	case string:
		return decimalForm.MatchString(n)
	}
	return false
}

// WithDefaults returns the given variables, with defaults for missing or empty ones.
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
