// Package template renders the texts of a scenario for speech: {{date|date}} becomes the day as it is spoken.
//
// Package store/scenario defines the syntax. The output contains only words, so that any voice can speak it.
package template

import (
	"strconv"
	"strings"
	"time"

	"munadi/appliance/conversation/slot"
	"munadi/engine/arabic"
	"munadi/store/scenario"
)

// RenderText renders a text; false if a value is missing or cannot be spoken in the requested format.
func RenderText(t string, values scenario.ValueLookup, slots map[string]scenario.AnswerSlot) (string, bool) {
	if scenario.IsFixed(t) {
		return t, true
	}
	parts, err := scenario.ParseTemplate(t)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Literal)
		if p.Name == "" {
			continue
		}
		said := renderValue(p.Filter, values(p.Name), slots[p.Name])
		if said == "" {
			return "", false
		}
		b.WriteString(said)
	}
	return strings.TrimSpace(b.String()), true
}

// renderValue returns a value in words; empty if it cannot be spoken.
func renderValue(f scenario.SpokenFilter, v any, s scenario.AnswerSlot) string {
	v = toFloat(v)
	switch f {
	case scenario.AsDate:
		return spokenDate(v)
	case scenario.AsTime:
		return spokenTime(v)
	case scenario.AsNumber:
		if n, ok := asNumber(v); ok {
			return slot.SpokenValue(scenario.AnswerSlot{Type: scenario.Number}, n)
		}
		return ""
	case scenario.AsDigits:
		return arabic.SpellDigits(slot.SpokenValue(scenario.AnswerSlot{}, plainNumber(v)))
	}
	return strings.TrimSpace(slot.SpokenValue(s, v))
}

// toFloat converts a number of any type.
func toFloat(v any) any {
	if n, ok := v.(int); ok {
		return float64(n)
	}
	return v
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return n, err == nil
	}
	return 0, false
}

// plainNumber writes a number without an exponent.
func plainNumber(v any) any {
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return v
}

// firstYear is the first year of the Gregorian calendar that is spoken.
const firstYear = 1900

// spokenDate returns a day in words; a time after it, as in RFC 3339, is ignored.
func spokenDate(v any) string {
	s, _ := v.(string)
	if len(s) < len(time.DateOnly) {
		return ""
	}
	d, err := time.Parse(time.DateOnly, s[:len(time.DateOnly)])
	if err != nil || d.Year() < firstYear { // a year of the Hijri calendar would be another day
		return ""
	}
	return arabic.SpellDate(d)
}

func spokenTime(v any) string {
	s, _ := v.(string)
	for _, layout := range []string{"15:04", "15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return arabic.SpellTime(t.Hour(), t.Minute())
		}
	}
	return ""
}
