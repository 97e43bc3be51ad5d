package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// TemplatePart is a piece of a template: a literal text, or a name and how its value is spoken.
type TemplatePart struct {
	Literal string
	Name    string // empty in a literal
	Filter  SpokenFilter
}

// SpokenFilter says how a value is spoken.
type SpokenFilter string

// The filters; the empty one says a slot's value in the way of its type and a variable's as it is.
const (
	AsDate   SpokenFilter = "date"   // YYYY-MM-DD: the day of the week, the day and the month
	AsTime   SpokenFilter = "time"   // HH:MM: the hour of the twelve-hour clock
	AsNumber SpokenFilter = "number" // in words
	AsDigits SpokenFilter = "digits" // one by one
)

// nameForm is what variables and slots are called.
var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// ParseTemplate takes a text with templates apart. The error says what is wrong, for who wrote it.
func ParseTemplate(text string) ([]TemplatePart, error) {
	var parts []TemplatePart
	for {
		before, rest, open := strings.Cut(text, "{{")
		if strings.Contains(before, "}}") {
			return nil, fmt.Errorf("}} closes nothing")
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

// parsePlaceholder reads what stands between the braces.
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
