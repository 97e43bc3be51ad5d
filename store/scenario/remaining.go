package scenario

import (
	"context"
	"slices"
	"strings"

	"munadi/store/jsontext"
)

// remainingViolations returns the rule violations of the valid parts, tree. Violations at, in or around a field named
// in form are left out, since they may be consequences.
func remainingViolations(ctx context.Context, tree map[string]any, form []ScenarioViolation) []ScenarioViolation {
	data, err := jsontext.MarshalUnescaped(tree)
	if err != nil {
		return nil
	}
	s, err := readScenario(data)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(CheckScenario(ctx, s), func(v ScenarioViolation) bool {
		return slices.ContainsFunc(form, func(f ScenarioViolation) bool {
			return isFieldWithin(v.Field, f.Field) || isFieldWithin(f.Field, v.Field)
		})
	})
}

// isFieldWithin reports whether a field is other or inside it.
func isFieldWithin(field, other string) bool {
	return field == other || strings.HasPrefix(field, other+".")
}

// namesField reports whether a field is among the violations.
func namesField(found []ScenarioViolation, field string) bool {
	return slices.ContainsFunc(found, func(v ScenarioViolation) bool { return v.Field == field })
}
