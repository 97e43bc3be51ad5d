package console

import (
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/callrules"
	"munadi/store/scenario"
	"munadi/ui/page"
)

// quotedLine returns the line that a message quotes; the message itself without one.
func quotedLine(message string) string {
	_, rest, found := strings.Cut(message, "“")
	line, _, closed := strings.Cut(rest, "”")
	if !found || !closed {
		return message
	}
	return line
}

// scenarioCalled finds a scenario by its id.
func scenarioCalled(all []scenario.Scenario, id string) (scenario.Scenario, bool) {
	i := slices.IndexFunc(all, func(one scenario.Scenario) bool { return one.ID == id })
	if i < 0 {
		return scenario.Scenario{}, false
	}
	return all[i], true
}

// scenarioName returns the name of a scenario; its id if it was deleted.
func scenarioName(all []scenario.Scenario, id string) string {
	if found, ok := scenarioCalled(all, id); ok && found.Name != "" {
		return found.Name
	}
	return id
}

func scenarioChoices(all []scenario.Scenario, chosen string) []page.ListChoice {
	choices := make([]page.ListChoice, len(all))
	for i, one := range all {
		choices[i] = page.ListChoice{Value: one.ID, Name: scenarioName(all, one.ID), Chosen: one.ID == chosen}
	}
	return choices
}

// zoneOf returns the organization's time zone. Unknown zones are refused when the rules are set.
func zoneOf(r callrules.CallRules) *time.Location {
	if zone, err := time.LoadLocation(r.TimeZone); err == nil {
		return zone
	}
	return time.UTC
}

// newNotFoundError returns the error of something that the organization does not have (404).
func newNotFoundError(what string) error { return store.Errorf(store.CodeNotFound, "%s", what) }
