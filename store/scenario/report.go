package scenario

import (
	"encoding/json"
	"maps"
	"slices"
)

// SchemaOf is the report's schema: the scenario's own, or one made from what it reports.
func SchemaOf(s Scenario) json.RawMessage {
	if len(s.Report.Schema) > 0 {
		return s.Report.Schema
	}
	slots := map[string]Slot{}
	properties := map[string]any{}
	for _, slot := range s.Slots() {
		slots[slot.Name] = slot
		if s.Report.Values == nil {
			properties[slot.Name] = slotSchema(slot)
		}
	}
	for name, raw := range s.Report.Values {
		properties[name] = valueSchema(raw, slots)
	}
	required := slices.AppendSeq([]string{}, maps.Keys(properties)) // a list even without one
	slices.Sort(required)
	schema, err := marshal(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
	if err != nil { // maps of texts can be written
		return json.RawMessage("{}")
	}
	return schema
}

// slotSchema describes a slot's value, null while it was not found out.
func slotSchema(s Slot) map[string]any {
	switch s.Type {
	case YesNo:
		return map[string]any{"type": []string{"boolean", "null"}}
	case Number:
		schema := map[string]any{"type": []string{"number", "null"}}
		if s.Min != nil {
			schema["minimum"] = *s.Min
		}
		if s.Max != nil {
			schema["maximum"] = *s.Max
		}
		return schema
	case Date:
		return map[string]any{"type": []string{"string", "null"}, "format": "date"}
	case Time:
		return map[string]any{"type": []string{"string", "null"}, "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
	case Choice:
		values := []any{}
		for _, o := range s.Choices {
			values = append(values, o.Value)
		}
		return map[string]any{"enum": append(values, nil)}
	}
	return map[string]any{"type": []string{"string", "null"}}
}

// valueSchema describes what a report's value becomes: a lone {{slot}} the slot's own, any other template a text.
func valueSchema(raw json.RawMessage, slots map[string]Slot) map[string]any {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return map[string]any{} // a constant of another kind, or an object with templates in it
	}
	name, lone := Lone(text)
	if slot, ok := slots[name]; lone && ok {
		return slotSchema(slot)
	}
	if lone {
		return map[string]any{} // a variable: any scalar
	}
	return map[string]any{"type": []string{"string", "null"}}
}

// Lone is the name in a text that is one bare {{name}} and nothing else: in JSON it stands for the value itself, a
// boolean, a number or null, not for words.
func Lone(text string) (name string, ok bool) {
	parts, err := Parse(text)
	if err != nil || len(parts) != 1 || parts[0].Name == "" || parts[0].Filter != "" {
		return "", false
	}
	return parts[0].Name, true
}
