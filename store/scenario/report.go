package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"munadi/store/jsontext"
)

// SchemaOf returns the report's JSON Schema: the scenario's own, or one derived from its report.
func SchemaOf(s Scenario) json.RawMessage {
	if len(s.Report.Schema) > 0 {
		return s.Report.Schema
	}
	slots := map[string]AnswerSlot{}
	properties := map[string]any{}
	for _, slot := range s.AllSlots() {
		slots[slot.Name] = slot
		if s.Report.Values == nil {
			properties[slot.Name] = slotSchema(slot)
		}
	}
	for name, raw := range s.Report.Values {
		properties[name] = valueSchema(raw, slots)
	}
	required := slices.AppendSeq([]string{}, maps.Keys(properties)) // an empty list rather than null
	slices.Sort(required)
	schema, err := jsontext.MarshalUnescaped(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
	if err != nil { // cannot fail for these types
		return json.RawMessage("{}")
	}
	return schema
}

// slotSchema returns the schema of a slot's value, null when unknown.
func slotSchema(s AnswerSlot) map[string]any {
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

// SlotsSchema returns the JSON Schema of an object with these slots: each by the report schema's property of that name,
// or by the slot's type. null means unknown.
func SlotsSchema(s Scenario, slots []AnswerSlot) json.RawMessage {
	var own struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(s.Report.Schema, &own) != nil {
		own.Properties = nil
	}
	properties, names := map[string]any{}, []string{}
	for _, slot := range slots {
		names = append(names, slot.Name)
		properties[slot.Name] = slotSchema(slot)
		if raw, ok := own.Properties[slot.Name]; ok && !bytes.Contains(raw, []byte(`"$`)) { // no remote $ref
			properties[slot.Name] = raw
		}
	}
	schema, err := jsontext.MarshalUnescaped(map[string]any{
		"type": "object", "properties": properties, "required": names, "additionalProperties": false,
	})
	if err != nil {
		return json.RawMessage("{}")
	}
	return schema
}

// ValidSlotValue reports whether a non-null value is valid for the slot's type.
func ValidSlotValue(ctx context.Context, slot AnswerSlot, value any) bool {
	if text, ok := value.(string); ok {
		if utf8.RuneCountInString(text) > MaxText || strings.TrimSpace(text) == "" {
			return false
		}
		if _, err := time.Parse(time.DateOnly, text); slot.Type == Date && err != nil {
			return false
		}
	}
	raw, err := jsontext.MarshalUnescaped(slotSchema(slot))
	if err != nil {
		return false
	}
	data, err := jsontext.MarshalUnescaped(value)
	if err != nil {
		return false
	}
	schema, err := CompileSchema(raw)
	if err != nil {
		return false
	}
	_, err = schema.ValidateReport(ctx, data)
	return err == nil
}

// valueSchema returns the schema of a report value: a single {{slot}} has the slot's, any other template is a string.
func valueSchema(raw json.RawMessage, slots map[string]AnswerSlot) map[string]any {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return map[string]any{} // a constant of another type, or an object with templates
	}
	name, lone := LoneName(text)
	if slot, ok := slots[name]; lone && ok {
		return slotSchema(slot)
	}
	if lone {
		return map[string]any{} // a variable: any scalar
	}
	return map[string]any{"type": []string{"string", "null"}}
}

// LoneName returns the name in a text that is a single {{name}}: in JSON it is replaced by the value itself (boolean,
// number, null), not for text.
func LoneName(text string) (name string, ok bool) {
	parts, err := ParseTemplate(text)
	if err != nil || len(parts) != 1 || parts[0].Name == "" || parts[0].Filter != "" {
		return "", false
	}
	return parts[0].Name, true
}
