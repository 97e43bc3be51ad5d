package contactfile

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// maxPacked is the size limit of a packed table, in bytes.
const maxPacked = 8 << 20

// PackTables encodes tables as text for a hidden form field, so that they can pass between pages without being stored.
func PackTables(tables ...ContactTable) (string, error) {
	var packed bytes.Buffer
	out := gzip.NewWriter(&packed)
	if err := json.NewEncoder(out).Encode(tables); err != nil {
		return "", err
	}
	if err := out.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

// errNotPacked is the error of a text that [PackTables] did not write.
var errNotPacked = errors.New("the text is not a packed table")

// UnpackTables decodes the output of [PackTables]. The text comes from a form and is checked like a file.
func UnpackTables(packed string) ([]ContactTable, error) {
	if len(packed) > maxPacked {
		return nil, ErrTooLarge
	}
	data, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return nil, errNotPacked
	}
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errNotPacked
	}
	var tables []ContactTable
	if err := json.NewDecoder(io.LimitReader(in, 3*maxText)).Decode(&tables); err != nil || len(tables) == 0 {
		return nil, errNotPacked
	}
	for i, t := range tables {
		if !t.isRegular() {
			return nil, errNotPacked
		}
		tables[i].Sheet = cleanCell(t.Sheet)
	}
	return tables, nil
}

// isRegular reports whether a table has the form and the limits of one that was read.
func (t ContactTable) isRegular() bool {
	if len(t.Rows) == 0 || len(t.Rows) > MaxRows || len(t.Rows) != len(t.Numbers) || len(t.Header) > MaxColumns {
		return false
	}
	return !slices.ContainsFunc(t.Rows, func(row []string) bool { return len(row) != len(t.Header) })
}
