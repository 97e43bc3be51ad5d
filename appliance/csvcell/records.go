package csvcell

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// ErrNotUTF8 is the error of a file in another encoding.
var ErrNotUTF8 = errors.New("the file is not UTF-8")

// CellRecord is one line of a CSV file: its trimmed cells by column.
type CellRecord struct {
	Line  int // in the file, from 1
	Cells map[string]string
}

// ReadRecords parses a CSV file in UTF-8, with or without the byte order mark of spreadsheets. A first line that holds
// the first column's name names the columns; without one they have the given order, and the last ones may be missing.
func ReadRecords(data []byte, columns []string) ([]CellRecord, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		return nil, ErrNotUTF8
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	var all []CellRecord
	for first := true; ; first = false {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the file is not CSV: %w", err)
		}
		if first && slices.Contains(cells, columns[0]) {
			columns = cells
			continue
		}
		line, _ := r.FieldPos(0)
		all = append(all, CellRecord{line, nameCells(columns, cells)})
	}
}

// nameCells returns cells by column; those beyond the last column are ignored.
func nameCells(columns, cells []string) map[string]string {
	named := map[string]string{}
	for i, text := range cells[:min(len(cells), len(columns))] {
		named[strings.TrimSpace(columns[i])] = strings.TrimSpace(text)
	}
	return named
}
