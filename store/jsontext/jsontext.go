// Package jsontext writes JSON as people and other programs read it: without HTML escapes of <, > and &, and with
// Arabic unescaped.
package jsontext

import (
	"bytes"
	"encoding/json"
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
