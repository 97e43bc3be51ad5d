package scenario

import (
	"bytes"
	"encoding/json"
	"slices"

	"munadi/store/jsontext"
)

// FollowSlots updates the scenario's own report and response body for its changes of slots since before: a new or
// changed slot gets its property, a removed one loses it. A report derived from the slots is left unchanged.
func (s *Scenario) FollowSlots(before []AnswerSlot) {
	after := s.AllSlots()
	named := func(all []AnswerSlot, name string) (AnswerSlot, bool) {
		i := slices.IndexFunc(all, func(a AnswerSlot) bool { return a.Name == name })
		if i < 0 {
			return AnswerSlot{}, false
		}
		return all[i], true
	}
	var set []AnswerSlot
	var added, gone []string
	for _, slot := range after {
		old, known := named(before, slot.Name)
		if !known {
			added = append(added, slot.Name)
		}
		if !known || !equalJSON(slotSchema(old), slotSchema(slot)) {
			set = append(set, slot)
		}
	}
	for _, slot := range before {
		if _, known := named(after, slot.Name); !known {
			gone = append(gone, slot.Name)
		}
	}
	if len(set)+len(gone) > 0 {
		s.followValues(set, gone)
		s.followSchema(set, gone)
		s.followBody(added, gone)
	}
}

func equalJSON(a, b any) bool {
	left, err := jsontext.MarshalUnescaped(a)
	if err != nil {
		return false
	}
	right, err := jsontext.MarshalUnescaped(b)
	return err == nil && bytes.Equal(left, right)
}

// followValues updates the values of the report; without values the report has all slots by name.
func (s *Scenario) followValues(set []AnswerSlot, gone []string) {
	if s.Report.Values == nil {
		return
	}
	for _, slot := range set {
		if _, reported := s.Report.Values[slot.Name]; !reported {
			s.Report.Values[slot.Name] = json.RawMessage(`"{{` + slot.Name + `}}"`)
		}
	}
	for _, name := range gone {
		if string(s.Report.Values[name]) == `"{{`+name+`}}"` {
			delete(s.Report.Values, name)
		}
	}
}

// followSchema updates a schema that lists its properties; any other is left unchanged.
func (s *Scenario) followSchema(set []AnswerSlot, gone []string) {
	var schema, properties map[string]json.RawMessage
	if json.Unmarshal(s.Report.Schema, &schema) != nil || json.Unmarshal(schema["properties"], &properties) != nil {
		return
	}
	var required []string
	listed := json.Unmarshal(schema["required"], &required) == nil
	for _, slot := range set {
		raw, err := jsontext.MarshalUnescaped(slotSchema(slot))
		if err != nil {
			return
		}
		properties[slot.Name] = raw
		if !slices.Contains(required, slot.Name) {
			required = append(required, slot.Name)
		}
	}
	for _, name := range gone {
		delete(properties, name)
	}
	required = slices.DeleteFunc(required, func(name string) bool { return slices.Contains(gone, name) })
	parts := map[string]any{"properties": properties}
	if listed {
		parts["required"] = required
	}
	for name, part := range parts {
		raw, err := jsontext.MarshalUnescaped(part)
		if err != nil {
			return
		}
		schema[name] = raw
	}
	if raw, err := jsontext.MarshalUnescaped(schema); err == nil {
		s.Report.Schema = raw
	}
}
