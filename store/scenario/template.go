package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// TemplatePart is a part of a template: literal text, or a name and its filter.
type TemplatePart struct {
	Literal string
	Name    string // empty for literal text
	Filter  SpokenFilter
}

// SpokenFilter is how a value is spoken.
type SpokenFilter string

// Filters; the empty one speaks a slot's value by its type and a variable's unchanged.
const (
	AsDate   SpokenFilter = "date"   // YYYY-MM-DD: weekday, day and month
	AsTime   SpokenFilter = "time"   // HH:MM: twelve-hour clock
	AsNumber SpokenFilter = "number" // in words
	AsDigits SpokenFilter = "digits" // digit by digit
)

// nameForm is the syntax of variable and slot names.
var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// ParseTemplate parses a text with templates. The error is for the author of the scenario.
func ParseTemplate(text string) ([]TemplatePart, error) {
	var parts []TemplatePart
	for {
		before, rest, open := strings.Cut(text, "{{")
		if strings.Contains(before, "}}") {
			return nil, fmt.Errorf("}} has no {{ before it")
		}
		if before != "" {
			parts = append(parts, TemplatePart{Literal: before})
		}
		if !open {
			return parts, nil
		}
		inner, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("{{ is not closed")
		}
		part, err := parsePlaceholder(inner)
		if err != nil {
			return nil, err
		}
		parts, text = append(parts, part), after
	}
}

// parsePlaceholder parses the content of the braces.
func parsePlaceholder(inner string) (TemplatePart, error) {
	name, filter, filtered := strings.Cut(inner, "|")
	p := TemplatePart{Name: strings.TrimSpace(name), Filter: SpokenFilter(strings.TrimSpace(filter))}
	if !nameForm.MatchString(p.Name) {
		return TemplatePart{}, fmt.Errorf("{{%s}} does not name a variable or slot", inner)
	}
	if filtered && !slices.Contains([]SpokenFilter{AsDate, AsTime, AsNumber, AsDigits}, p.Filter) {
		return TemplatePart{}, fmt.Errorf("{{%s}}: %q is not one of date, time, number, digits", inner, p.Filter)
	}
	return p, nil
}

// IsFixed reports whether a text has no template.
func IsFixed(text string) bool { return !strings.Contains(text, "{{") }
