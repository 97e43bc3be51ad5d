package scenario

import (
	"bytes"
	"encoding/json"
	"errors"

	"munadi/store/jsontext"
	"munadi/store/strictjson"
)

var (
	errLines = errors.New("must be a text, an object with a text, or an array of these")
	errLine  = errors.New("must be a text or an object with a text")
)

// UnmarshalJSON decodes a bare text, an object or an array of both.
func (l *SpokenLines) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if bytes.Equal(data, []byte("null")) {
		*l = nil
		return nil
	}
	var items []json.RawMessage
	if len(data) == 0 || data[0] != '[' {
		items = append(items, data)
	} else if err := json.Unmarshal(data, &items); err != nil {
		return err
	}
	lines := make(SpokenLines, len(items))
	for i, item := range items {
		if err := lines[i].readJSON(item); err != nil {
			return err
		}
	}
	*l = lines
	return nil
}

// readJSON decodes a bare text or an object.
func (l *SpokenLine) readJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &l.Text)
	}
	if len(data) == 0 || data[0] != '{' {
		return errLines
	}
	type plain SpokenLine
	return json.Unmarshal(data, (*plain)(l))
}

// BindForm assigns a bare text, an object or an array of both.
func (l *SpokenLines) BindForm(b *strictjson.ValueBinder, path string, from any) {
	items, isList := from.([]any)
	if !isList {
		*l = make(SpokenLines, 1)
		(*l)[0].bindLine(b, path, from, errLines)
		return
	}
	*l = make(SpokenLines, len(items))
	for i, item := range items {
		(*l)[i].bindLine(b, IndexPath(path, i), item, errLine)
	}
}

// bindLine assigns a bare text or an object; otherwise is the violation of another form.
func (l *SpokenLine) bindLine(b *strictjson.ValueBinder, path string, from any, otherwise error) {
	switch v := from.(type) {
	case string:
		l.Text = v
	case map[string]any:
		b.BindStruct(path, v, l)
	default:
		b.AddViolation(path, "%v", otherwise)
	}
}

// MarshalJSON writes the shortest form: a bare text if there are no options, no array around a single line.
func (l SpokenLines) MarshalJSON() ([]byte, error) {
	if len(l) == 1 {
		return jsontext.MarshalUnescaped(l[0].shortForm())
	}
	items := make([]any, len(l))
	for i, line := range l {
		items[i] = line.shortForm()
	}
	return jsontext.MarshalUnescaped(items)
}

func (l SpokenLine) shortForm() any {
	if !l.Optional && !l.CallBack {
		return l.Text
	}
	return l
}
