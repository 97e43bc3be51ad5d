package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Part is a piece of a template: a literal text, or a name and how its value is spoken.
type Part struct {
	Literal string
	Name    string // empty in a literal
	Filter  Filter
}

// Filter says how a value is spoken.
type Filter string

// The filters; the empty one says a slot's value in the way of its type and a variable's as it is.
const (
	AsDate   Filter = "date"   // YYYY-MM-DD: the day of the week, the day and the month
	AsTime   Filter = "time"   // HH:MM: the hour of the twelve-hour clock
	AsNumber Filter = "number" // in words
	AsDigits Filter = "digits" // one by one
)

// nameForm is what variables and slots are called.
var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// Parse takes a text with templates apart. The error says what is wrong, for who wrote it.
func Parse(text string) ([]Part, error) {
	var parts []Part
	for {
		before, rest, open := strings.Cut(text, "{{")
		if strings.Contains(before, "}}") {
			return nil, fmt.Errorf("}} closes nothing")
		}
		if before != "" {
			parts = append(parts, Part{Literal: before})
		}
		if !open {
			return parts, nil
		}
		inner, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("{{ is not closed")
		}
		part, err := value(inner)
		if err != nil {
			return nil, err
		}
		parts, text = append(parts, part), after
	}
}

// value reads what stands between the braces.
func value(inner string) (Part, error) {
	name, filter, filtered := strings.Cut(inner, "|")
	p := Part{Name: strings.TrimSpace(name), Filter: Filter(strings.TrimSpace(filter))}
	if !nameForm.MatchString(p.Name) {
		return Part{}, fmt.Errorf("{{%s}} does not name a variable or slot", inner)
	}
	if filtered && !slices.Contains([]Filter{AsDate, AsTime, AsNumber, AsDigits}, p.Filter) {
		return Part{}, fmt.Errorf("{{%s}}: %q is not one of date, time, number, digits", inner, p.Filter)
	}
	return p, nil
}

// Fixed says whether a text has no template.
func Fixed(text string) bool { return !strings.Contains(text, "{{") }
