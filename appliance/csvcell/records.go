// Package csvcell reads CSV records, and protects spreadsheet users from CSV injection (OWASP): it escapes cells that a
// spreadsheet would run as formulas.
package csvcell

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"munadi/store"
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

// IncompleteMark is the only cell of the last row of a file that lacks records, because they, or the rest of the list,
// could not be read. No first cell of another row looks like it, and an import refuses it as a row.
const IncompleteMark = "error: this file is incomplete"

// EndFile writes the buffered rows, and [IncompleteMark] if the reads under the context left out damaged records.
func EndFile(ctx context.Context, out *csv.Writer) error {
	if !store.DamageReportOf(ctx).IsEmpty() {
		_ = out.Write([]string{IncompleteMark}) // out.Error reports a failed connection
	}
	out.Flush()
	return out.Error()
}

// EndBrokenFile ends a file of which rows were read, but not the rest: the response has begun, so its last row says so.
// It returns the error.
func EndBrokenFile(out *csv.Writer, err error) error {
	_ = out.Write([]string{IncompleteMark}) // a failed connection needs no message
	out.Flush()
	return err
}

// formulaStarts are the characters with which a formula begins, also in full width, as spreadsheets of East Asia read
// it.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// GuardCell escapes text for a CSV cell: text that a spreadsheet would run as a formula is prefixed with an apostrophe.
func GuardCell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune(formulaStarts, first) {
		return "'" + text
	}
	return text
}

// UnguardCell removes GuardCell's apostrophe.
func UnguardCell(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found && GuardCell(rest) != rest {
		return rest
	}
	return text
}
