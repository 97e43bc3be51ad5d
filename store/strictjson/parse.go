// Package strictjson parses and validates untrusted JSON (request bodies, scenarios) strictly and reports every
// violation with its dotted path.
//
// [ParseJSON] parses the bytes; [BindValue] assigns the parsed value to a Go value and lists all violations. Its
// rules beyond encoding/json's: a duplicate name, or anything after the value, is a syntax error; an unknown name
// (names are case-sensitive) is a violation; so is null where the Go value cannot be empty (pointers, slices, maps,
// times and interfaces can); a number that a float64 would round is one too. A type with alternative JSON forms is a
// [FormBinder].
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

const (
	maxDepth  = 64      // maximum nesting depth of values
	maxValues = 2 << 20 // maximum number of values: one of three bytes takes over 100 in memory
)

// SyntaxError is the reason why bytes are not valid JSON, in words for the client. Err is the decoder's error, if any.
type SyntaxError struct {
	Message string
	Err     error
}

func (e *SyntaxError) Error() string { return e.Message }

func (e *SyntaxError) Unwrap() error { return e.Err }

func newSyntaxError(format string, args ...any) error {
	return &SyntaxError{Message: fmt.Sprintf(format, args...)}
}

// ParseObject parses one JSON object. The error is a [*SyntaxError].
func ParseObject(data []byte) (map[string]any, error) {
	parsed, err := ParseJSON(data)
	if err != nil {
		return nil, err
	}
	all, ok := parsed.(map[string]any)
	if !ok {
		return nil, newSyntaxError("The body is not a JSON object")
	}
	return all, nil
}

// ParseJSON parses one JSON value: nil, bool, string, [json.Number], []any or map[string]any. The error is a
// [*SyntaxError].
func ParseJSON(data []byte) (any, error) {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, newSyntaxError("The body is empty; JSON is expected")
	case !utf8.Valid(data):
		return nil, newSyntaxError("The body is not UTF-8")
	}
	if err := checkSyntax(data); err != nil {
		return nil, err
	}
	if countValues(data) > maxValues {
		return nil, newSyntaxError("The body has more than %d values", maxValues)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return readValue(d, 0)
}

// checkSyntax returns a [*SyntaxError] with the offset of the first byte that is not valid JSON.
func checkSyntax(data []byte) error {
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &SyntaxError{fmt.Sprintf("The body is not JSON: %s, at byte %d", syntax, syntax.Offset), syntax}
	}
	if err != nil {
		return newSyntaxError("The body is not JSON")
	}
	return nil
}

// countValues returns the number of values of valid JSON; an empty object or list counts twice.
func countValues(data []byte) int {
	n, inString := 1, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			inString = !inString
		case inString && c == '\\':
			i++
		case !inString && (c == ',' || c == '[' || c == '{'):
			n++
		}
	}
	return n
}

func readValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, newSyntaxError("The body is nested deeper than %d levels", maxDepth)
	}
	token, err := d.Token()
	if err != nil {
		return nil, newSyntaxError("The body is not JSON")
	}
	switch token {
	case json.Delim('{'):
		return readObject(d, depth)
	case json.Delim('['):
		return readArray(d, depth)
	default:
		return token, nil
	}
}

func readObject(d *json.Decoder, depth int) (any, error) {
	all := map[string]any{}
	for d.More() {
		token, err := d.Token()
		name, isName := token.(string)
		if err != nil || !isName {
			return nil, newSyntaxError("The body is not JSON")
		}
		if _, twice := all[name]; twice {
			return nil, newSyntaxError("The body has the name %q twice in one object", name)
		}
		if all[name], err = readValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token() // the closing brace
	return all, err
}

func readArray(d *json.Decoder, depth int) (any, error) {
	all := []any{}
	for d.More() {
		v, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	_, err := d.Token() // the closing bracket
	return all, err
}
