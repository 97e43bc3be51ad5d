package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
)

var errLines = errors.New("must be a text, an object with a text, or an array of these")

// UnmarshalJSON reads a bare text, an object or an array of both.
func (l *Lines) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if bytes.Equal(data, []byte("null")) {
		*l = nil
		return nil
	}
	items := []json.RawMessage{data}
	if len(data) > 0 && data[0] == '[' {
		if err := json.Unmarshal(data, &items); err != nil {
			return err
		}
	}
	lines := make(Lines, len(items))
	for i, item := range items {
		if err := lines[i].read(item); err != nil {
			return err
		}
	}
	*l = lines
	return nil
}

// read takes a bare text or an object.
func (l *Line) read(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &l.Text)
	}
	if len(data) == 0 || data[0] != '{' {
		return errLines
	}
	type plain Line
	return json.Unmarshal(data, (*plain)(l))
}

// MarshalJSON writes the shortest form: a text where nothing else is to be said, no array around a single line.
func (l Lines) MarshalJSON() ([]byte, error) {
	if len(l) == 1 {
		return marshal(l[0].short())
	}
	items := make([]any, len(l))
	for i, line := range l {
		items[i] = line.short()
	}
	return marshal(items)
}

func (l Line) short() any {
	if !l.Optional {
		return l.Text
	}
	return l
}

// marshal leaves <, > and & as they are: these are texts, not pages.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
