package scenario

import (
	"context"
	"slices"
	"strings"
)

// remainingViolations lists the rules that a scenario breaks beside its form, tree being what was left of it. What lies at, in
// or around a field that form names is not told of: it may only follow from it.
func remainingViolations(ctx context.Context, tree map[string]any, form []ScenarioViolation) []ScenarioViolation {
	data, err := marshalUnescaped(tree)
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

// isFieldWithin reports whether a field is another one or lies in it.
func isFieldWithin(field, other string) bool {
	return field == other || strings.HasPrefix(field, other+".")
}

// namesField reports whether a field itself is among what is wrong.
func namesField(found []ScenarioViolation, field string) bool {
	return slices.ContainsFunc(found, func(v ScenarioViolation) bool { return v.Field == field })
}
