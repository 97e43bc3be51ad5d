package scenario

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// BuiltIn parses the built-in scenarios of all organizations: the files of flow/. Their ids are reserved.
func BuiltIn(files fs.FS) ([]Scenario, error) {
	all, err := parseFolder(files, "flow/*.json")
	for i := range all {
		all[i].BuiltIn = true
	}
	return all, err
}

// LoadTemplates parses what a new scenario may begin as, by id: the built-in scenarios, and the files of templates/.
func LoadTemplates(files fs.FS) (map[string]Scenario, error) {
	byID := map[string]Scenario{}
	for _, folder := range []string{"flow/*.json", "templates/*.json"} {
		all, err := parseFolder(files, folder)
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			byID[one.ID] = one
		}
	}
	return byID, nil
}

// parseFolder parses the scenarios of some files, which must be valid.
func parseFolder(files fs.FS, pattern string) (all []Scenario, err error) {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		s, violations, err := DecodeScenario(context.Background(), data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(violations) > 0 {
			return nil, fmt.Errorf("%s: %s %s", name, violations[0].Field, violations[0].Message)
		}
		all = append(all, s)
	}
	return all, nil
}

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
