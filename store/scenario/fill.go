package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"munadi/store/jsontext"
)

// ValueLookup returns the value of a slot or variable: a JSON scalar, nil when unknown.
type ValueLookup func(name string) any

// FillTemplates expands the templates in the strings of a JSON value. A string that is a single {{name}} becomes the
// value itself, null when unknown; within other text values are written as data, "2026-11-26", not as spoken.
func FillTemplates(raw json.RawMessage, values ValueLookup) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	tree, err := fillValue(tree, values)
	if err != nil {
		return nil, err
	}
	return jsontext.MarshalUnescaped(tree)
}

func fillValue(v any, values ValueLookup) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		return fillText(v, values)
	case []any:
		for i := range v {
			if v[i], err = fillValue(v[i], values); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = fillValue(v[key], values); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func fillText(text string, values ValueLookup) (any, error) {
	if name, ok := loneName(text); ok {
		return values(name), nil
	}
	parts, err := ParseTemplate(text)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Literal)
		if p.Name == "" {
			continue
		}
		if v := values(p.Name); v != nil {
			fmt.Fprint(&b, v)
		}
	}
	return b.String(), nil
}

// FillText expands the templates in a plain text; values are inserted as data, unknown ones as "".
func FillText(text string, values ValueLookup) (string, error) {
	filled, err := fillText(text, values)
	if err != nil || filled == nil {
		return "", err
	}
	return fmt.Sprint(filled), nil
}

// ReportOf renders the report: by Report.Values, or every slot by its name.
func (s Scenario) ReportOf(values ValueLookup) (json.RawMessage, error) {
	if s.Report.Values != nil {
		filled := map[string]json.RawMessage{}
		for name, raw := range s.Report.Values {
			v, err := FillTemplates(raw, values)
			if err != nil {
				return nil, err
			}
			filled[name] = v
		}
		return jsontext.MarshalUnescaped(filled)
	}
	found := map[string]any{}
	for _, slot := range s.AllSlots() {
		found[slot.Name] = values(slot.Name)
	}
	return jsontext.MarshalUnescaped(found)
}

// UnknownValues is the lookup of a conversation without any answers.
func UnknownValues(string) any { return nil }
