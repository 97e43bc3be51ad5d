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
	name, lone := loneName(text)
	if slot, ok := slots[name]; lone && ok {
		return slotSchema(slot)
	}
	if lone {
		return map[string]any{} // a variable: any scalar
	}
	return map[string]any{"type": []string{"string", "null"}}
}

// loneName returns the name in a text that is a single {{name}}: in JSON it is replaced by the value itself (boolean,
// number, null), not for text.
func loneName(text string) (name string, ok bool) {
	parts, err := ParseTemplate(text)
	if err != nil || len(parts) != 1 || parts[0].Name == "" || parts[0].Filter != "" {
		return "", false
	}
	return parts[0].Name, true
}

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
	return loneName(text)
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
