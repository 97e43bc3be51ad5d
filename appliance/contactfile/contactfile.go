// Package contactfile reads lists of people to be called from Excel workbooks (.xlsx) and CSV files with any common
// delimiter and character encoding.
//
// A file becomes a [ContactTable] of texts: dates as 2006-01-02, times as 15:04, numbers with Western digits.
// [MatchColumns] guesses the meaning of columns; [NormalizeNumber] and [NormalizeValue] convert cells to the form of a
// booking. Files are untrusted: size, rows, columns and memory are bounded. An invalid row does not fail the file.
package contactfile

import (
	"bytes"
	"context"
	"errors"
)

// The limits of a file.
const (
	MaxFile     = 16 << 20 // bytes
	MaxRows     = 10_000   // below the header
	MaxColumns  = 64
	MaxCell     = 2000    // characters; longer cells are cut
	maxText     = 8 << 20 // bytes of all cells
	headerRows  = 10      // rows that are searched for the header
	maxLineRows = 60      // lines that a quoted cell may span
)

// Errors of unreadable files; the library's error may be wrapped.
var (
	ErrEmpty     = errors.New("the file has no rows below its header")
	ErrTooLarge  = errors.New("the file is too large, or has too long texts")
	ErrTooWide   = errors.New("the file has more than 64 columns; remove those that calls do not need")
	ErrTooMany   = errors.New("the file has more than 10,000 rows; split it")
	ErrOldFormat = errors.New("the file is an old or encrypted Excel file; save it as .xlsx without a password")
	ErrNoTable   = errors.New("the file is neither .xlsx nor CSV; save it as one of them")
	ErrOddXML    = errors.New("the workbook has XML that spreadsheet programs do not write (UTF-16, DOCTYPE, CDATA or " +
		"comments); open it in one and save it as .xlsx")
)

// ContactTable is the content of a file, or of a sheet of a workbook. Every row has as many cells as the header.
type ContactTable struct {
	Sheet   string     `json:"sheet,omitempty"`
	Header  []string   `json:"header"`
	Rows    [][]string `json:"rows"`
	Numbers []int      `json:"numbers"` // row numbers in the file, from 1
}

// workbookSlot limits the workbooks that are read at a time to one, since each may take up to 200 MiB.
var workbookSlot = make(chan struct{}, 1)

// ReadTables reads a file, whose format is detected by content: the sheets of a workbook that have rows, the one that
// the workbook opens with first, or the table of a CSV file. The error is one of those above, or the context's; with
// tables, it is that of another sheet.
func ReadTables(ctx context.Context, data []byte) ([]ContactTable, error) {
	if len(data) > MaxFile {
		return nil, ErrTooLarge
	}
	select {
	case workbookSlot <- struct{}{}:
		defer func() { <-workbookSlot }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return readWorkbook(ctx, data)
	case bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0")):
		return nil, ErrOldFormat
	}
	rows, err := readCSV(data)
	if err != nil {
		return nil, err
	}
	table, err := buildTable(rows)
	if err != nil {
		return nil, err
	}
	return []ContactTable{table}, nil
}

// fileRow is a row of a file with its number, from 1.
type fileRow struct {
	number int
	cells  []string
}
