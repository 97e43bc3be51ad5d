package contactfile

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
)

// maxPacked is the size limit of a packed table, in bytes.
const maxPacked = 8 << 20

// PackTable encodes a table as text for a hidden form field, so that it can pass between pages without being stored.
func PackTable(t ContactTable) (string, error) {
	var packed bytes.Buffer
	out := gzip.NewWriter(&packed)
	if err := json.NewEncoder(out).Encode(t); err != nil {
		return "", err
	}
	if err := out.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

// errNotPacked is the error of a text that [PackTable] did not write.
var errNotPacked = errors.New("the text is not a packed table")

// UnpackTable decodes the output of [PackTable]. The text comes from a form and is checked like a file.
func UnpackTable(packed string) (ContactTable, error) {
	var t ContactTable
	if len(packed) > maxPacked {
		return t, ErrTooLarge
	}
	data, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return t, errNotPacked
	}
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return t, errNotPacked
	}
	if err := json.NewDecoder(io.LimitReader(in, 3*maxText)).Decode(&t); err != nil {
		return ContactTable{}, errNotPacked
	}
	if len(t.Rows) == 0 || len(t.Rows) > MaxRows || len(t.Rows) != len(t.Numbers) || len(t.Header) > MaxColumns {
		return ContactTable{}, errNotPacked
	}
	for _, row := range t.Rows {
		if len(row) != len(t.Header) {
			return ContactTable{}, errNotPacked
		}
	}
	return t, nil
}
