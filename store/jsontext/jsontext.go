// Package jsontext writes JSON as people and other programs read it: without HTML escapes of <, > and &, and with
// Arabic unescaped.
package jsontext

import (
	"bytes"
	"encoding/json"
	"time"
)

// MarshalUnescaped is json.Marshal without HTML escapes.
func MarshalUnescaped(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// TimeForm is the form of times that programs read, in JSON, files and pages: RFC 3339 with milliseconds, for a time in
// UTC.
const TimeForm = "2006-01-02T15:04:05.000Z"

// FormatTime returns a time in [TimeForm], truncated to milliseconds.
func FormatTime(t time.Time) string { return t.UTC().Format(TimeForm) }

// FormatTimeOf is FormatTime; empty for nil.
func FormatTimeOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return FormatTime(*t)
}
