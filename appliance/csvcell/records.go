package csvcell

import (
	"bytes"
	"cmp"
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
	Line  int // line number in the file, from 1
	Cells map[string]string
}

// ReadRecords parses a CSV file in UTF-8, with or without a byte order mark. A first line that has the first column's
// name, or an alias of it, is the header; without a header the columns have the given order, and the last ones may be
// missing. aliases maps other names to columns.
func ReadRecords(data []byte, columns []string, aliases map[string]string) ([]CellRecord, error) {
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
		if named := nameColumns(cells, aliases); first && slices.Contains(named, columns[0]) {
			columns = named
			continue
		}
		line, _ := r.FieldPos(0)
		all = append(all, CellRecord{line, nameCells(columns, cells)})
	}
}

// nameColumns resolves the aliases in a header.
func nameColumns(cells []string, aliases map[string]string) []string {
	named := make([]string, len(cells))
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		named[i] = cmp.Or(aliases[cell], cell)
	}
	return named
}

// nameCells returns cells by column and ignores those beyond the last column.
func nameCells(columns, cells []string) map[string]string {
	named := map[string]string{}
	for i, text := range cells[:min(len(cells), len(columns))] {
		named[columns[i]] = strings.TrimSpace(text)
	}
	return named
}
