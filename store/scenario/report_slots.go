package scenario

import (
	"encoding/json"
	"maps"
	"slices"
)

// UsualConfirmation is the conventional name of the slot whose yes counts a call as confirmed.
const UsualConfirmation = "confirmed"

// ConfirmationProperty returns the report's property that confirms a call when true: that of the yes_no slot called
// confirmed, otherwise that of the last yes_no slot in the report; empty without any.
func (s Scenario) ConfirmationProperty() string {
	last := ""
	for _, slot := range s.AllSlots() {
		property := s.reportProperty(slot.Name)
		if slot.Type != YesNo || property == "" {
			continue
		}
		if last = property; slot.Name == UsualConfirmation {
			break
		}
	}
	return last
}

// reportProperty returns the property of the report that a slot fills, one of the slot's own name first; empty without
// one.
func (s Scenario) reportProperty(slot string) string {
	if s.Report.Values == nil {
		return slot
	}
	for _, property := range append([]string{slot}, slices.Sorted(maps.Keys(s.Report.Values))...) {
		if found, ok := s.filledBy(property); ok && found == slot {
			return property
		}
	}
	return ""
}

// filledBy returns the slot or variable that alone fills a property by its template {{name}} in Report.Values.
func (s Scenario) filledBy(property string) (name string, ok bool) {
	var text string
	if json.Unmarshal(s.Report.Values[property], &text) != nil {
		return "", false
	}
	return LoneName(text)
}

// ReportSlot returns the slot that fills a property of the report: the one of its template {{slot}} in Report.Values,
// or the one of that name; false for any other property.
func (s Scenario) ReportSlot(property string) (AnswerSlot, bool) {
	name := property
	if _, filled := s.Report.Values[property]; filled {
		name, _ = s.filledBy(property)
	}
	for _, slot := range s.AllSlots() {
		if slot.Name == name {
			return slot, true
		}
	}
	return AnswerSlot{}, false
}

// ReportProperties returns the properties of the scenario's reports: those of Report.Values by name, or its slots in
// their order.
func (s Scenario) ReportProperties() (names []string) {
	if s.Report.Values != nil {
		return slices.Sorted(maps.Keys(s.Report.Values))
	}
	for _, slot := range s.AllSlots() {
		names = append(names, slot.Name)
	}
	return names
}
