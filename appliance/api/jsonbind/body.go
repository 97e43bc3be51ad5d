// Package jsonbind reads JSON that a stranger sent, strictly: what it is not, and every place where it is not what was
// asked for, each with its dotted path.
//
// [ParseJSON] says whether the bytes are JSON at all; [BindValue] puts the parsed value into a Go value and lists all that does
// not fit. Its rules beyond encoding/json's: a name that occurs twice, or anything behind the value, is no JSON; a name
// that the Go value does not have, in just that spelling, is a violation; so is null where the Go value has no place
// for "nothing" (pointers, slices, maps, times and interfaces have); a number that a float64 would round is one too.
package jsonbind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// maxDepth is how deep values may be nested.
const maxDepth = 64

// SyntaxError says why bytes are no JSON, for the client to read.
type SyntaxError struct{ Message string }

func (e *SyntaxError) Error() string { return e.Message }

func newSyntaxError(format string, args ...any) error {
	return &SyntaxError{fmt.Sprintf(format, args...)}
}

// ParseJSON reads one JSON value: nil, bool, string, [json.Number], []any or map[string]any. The error is an [*SyntaxError].
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
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return readValue(d, 0)
}

// checkSyntax says where data stops being JSON.
func checkSyntax(data []byte) error {
	var raw json.RawMessage
	err := json.Unmarshal(data, &raw)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return newSyntaxError("The body is not JSON: %s, at byte %d", syntax.Error(), syntax.Offset)
	}
	if err != nil {
		return newSyntaxError("The body is not JSON")
	}
	return nil
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
