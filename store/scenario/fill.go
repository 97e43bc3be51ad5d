package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Values finds the value of a slot or variable: a JSON scalar, nil when it is not known.
type Values func(name string) any

// Fill replaces the templates in the strings of a JSON value. A string that is one bare {{name}} becomes the value
// itself, null when it is not known; in any other text a value stands as data, "2026-11-26", not as it is spoken.
func Fill(raw json.RawMessage, values Values) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	tree, err := fill(tree, values)
	if err != nil {
		return nil, err
	}
	return marshal(tree)
}

func fill(v any, values Values) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		return fillText(v, values)
	case []any:
		for i := range v {
			if v[i], err = fill(v[i], values); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = fill(v[key], values); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func fillText(text string, values Values) (any, error) {
	if name, ok := Lone(text); ok {
		return values(name), nil
	}
	parts, err := Parse(text)
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

// ReportOf fills in the report: what Report.Values say, or every slot by its name.
func (s Scenario) ReportOf(values Values) (json.RawMessage, error) {
	if s.Report.Values != nil {
		filled := map[string]json.RawMessage{}
		for name, raw := range s.Report.Values {
			v, err := Fill(raw, values)
			if err != nil {
				return nil, err
			}
			filled[name] = v
		}
		return marshal(filled)
	}
	found := map[string]any{}
	for _, slot := range s.Slots() {
		found[slot.Name] = values(slot.Name)
	}
	return marshal(found)
}

// Unknown are the values of a conversation that found nothing out.
func Unknown(string) any { return nil }
