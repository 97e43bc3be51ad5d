package scenario

import (
	"context"
	"slices"
	"strings"
)

// remaining lists the rules that a scenario breaks beside its form, tree being what was left of it. What lies at, in
// or around a field that form names is not told of: it may only follow from it.
func remaining(ctx context.Context, tree map[string]any, form []Violation) []Violation {
	data, err := marshal(tree)
	if err != nil {
		return nil
	}
	s, err := read(data)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(Check(ctx, s), func(v Violation) bool {
		return slices.ContainsFunc(form, func(f Violation) bool {
			return within(v.Field, f.Field) || within(f.Field, v.Field)
		})
	})
}

// within says whether a field is another one or lies in it.
func within(field, other string) bool {
	return field == other || strings.HasPrefix(field, other+".")
}

// names says whether a field itself is among what is wrong.
func names(found []Violation, field string) bool {
	return slices.ContainsFunc(found, func(v Violation) bool { return v.Field == field })
}
