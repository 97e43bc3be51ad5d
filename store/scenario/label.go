package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"munadi/store/jsontext"
	"munadi/store/strictjson"
)

// Label is the localized display name of a variable, slot, choice or step. In JSON a bare text is used for both
// languages; an object has ar, en or both. Keys, not labels, are in reports, webhooks and the API.
type Label struct {
	Arabic  string `json:"ar,omitempty"`
	English string `json:"en,omitempty"`
}

// Languages of a label.
const (
	labelArabic  = "ar"
	labelEnglish = "en"
)

var errLabel = errors.New("must be a text, or an object with a text for ar, en or both")

// TextIn returns the label in a language, "ar" or "en"; empty without one.
func (l Label) TextIn(language string) string {
	switch language {
	case labelArabic:
		return l.Arabic
	case labelEnglish:
		return l.English
	}
	return ""
}

// AnyText returns the label in any language, Arabic first; empty without one.
func (l Label) AnyText() string {
	if l.Arabic != "" {
		return l.Arabic
	}
	return l.English
}

// UnmarshalJSON decodes a bare text or an object.
func (l *Label) UnmarshalJSON(data []byte) error {
	switch data = bytes.TrimSpace(data); {
	case bytes.Equal(data, []byte("null")):
		*l = Label{}
		return nil
	case len(data) > 0 && data[0] == '"':
		var text string
		err := json.Unmarshal(data, &text)
		*l = Label{Arabic: text, English: text}
		return err
	case len(data) == 0 || data[0] != '{':
		return errLabel
	}
	type plain Label
	return json.Unmarshal(data, (*plain)(l))
}

// MarshalJSON writes a bare text if both languages have the same.
func (l Label) MarshalJSON() ([]byte, error) {
	if l.Arabic == l.English {
		return jsontext.MarshalUnescaped(l.Arabic)
	}
	type plain Label
	return jsontext.MarshalUnescaped(plain(l))
}

// BindForm assigns either form of a label.
func (l *Label) BindForm(b *strictjson.ValueBinder, path string, from any) {
	switch v := from.(type) {
	case string:
		*l = Label{Arabic: v, English: v}
	case map[string]any:
		b.BindStruct(path, v, l)
	default:
		b.AddViolation(path, "%v", errLabel)
	}
}

// checkLabel requires a label of one line; it may be absent.
func (c *scenarioChecker) checkLabel(field string, l Label) {
	for _, text := range []string{l.Arabic, l.English} {
		if text != "" && strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
			c.addFailure(field, "must be one line of text")
		}
		c.checkLength(field, text, maxName)
		if l.Arabic == l.English {
			return // the same finding twice
		}
	}
}

// checkChoiceLabels requires labels for choices that exist.
func (c *scenarioChecker) checkChoiceLabels(path string, v ScenarioVariable) {
	for _, choice := range slices.Sorted(maps.Keys(v.ChoiceLabels)) {
		if !slices.Contains(v.Choices, choice) {
			c.addFailure(path, "has a label for %q, which is not one of choices", choice)
			continue
		}
		c.checkLabel(strictjson.JoinPath(path, choice), v.ChoiceLabels[choice])
	}
}
