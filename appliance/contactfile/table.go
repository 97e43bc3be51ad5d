package contactfile

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// buildTable finds the header and gives all rows its width. Columns without a header are named by number.
func buildTable(rows []fileRow) (ContactTable, error) {
	rows = cleanRows(rows)
	if len(rows) == 0 {
		return ContactTable{}, ErrEmpty
	}
	at := findHeader(rows)
	t := ContactTable{}
	if at >= 0 {
		t.Header, rows = nameColumns(rows[at].cells, countColumns(rows[at:])), rows[at+1:]
	} else {
		t.Header = nameColumns(nil, countColumns(rows))
	}
	if len(rows) == 0 {
		return ContactTable{}, ErrEmpty
	}
	if len(rows) > MaxRows {
		return ContactTable{}, ErrTooMany
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, resizeRow(r.cells, len(t.Header)))
		t.Numbers = append(t.Numbers, r.number)
	}
	return t.dropEmptyColumns(), nil
}

// cleanRows cleans all cells and drops rows without text.
func cleanRows(rows []fileRow) []fileRow {
	var kept []fileRow
	for _, r := range rows {
		filled := false
		for i, cell := range r.cells {
			r.cells[i] = cleanCell(cell)
			filled = filled || r.cells[i] != ""
		}
		if filled {
			kept = append(kept, r)
		}
	}
	return kept
}

// cleanCell removes control and direction characters and outer spaces, and truncates long texts.
func cleanCell(cell string) string {
	cell = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u00a0':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ToValidUTF8(cell, "\uFFFD"))
	cell = strings.TrimSpace(cell)
	if utf8.RuneCountInString(cell) > MaxCell {
		cell = string([]rune(cell)[:MaxCell])
	}
	return cell
}

// findHeader returns the index of the header: the first of the fullest rows above the first telephone number. It is -1
// if the first row has a number, so that the file has no header.
func findHeader(rows []fileRow) int {
	best, most := 0, -1
	for i, r := range rows[:min(headerRows, len(rows))] {
		filled := countFilled(r.cells)
		if slices.ContainsFunc(r.cells, looksLikeNumber) {
			if i == 0 {
				return -1
			}
			break
		}
		if filled > most {
			best, most = i, filled
		}
	}
	return best
}

func countFilled(cells []string) (n int) {
	for _, cell := range cells {
		if cell != "" {
			n++
		}
	}
	return n
}

// looksLikeNumber reports whether a cell may be a telephone number, or two: at least seven digits each and little else.
func looksLikeNumber(cell string) bool {
	digits, others, wanted := 0, 0, 7
	for _, r := range westernDigits(cell) {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '/':
			wanted = 14 // a date has fewer
		case !strings.ContainsRune("+-() .", r):
			others++
		}
	}
	return digits >= wanted && others == 0
}

// countColumns returns the number of columns that rows use.
func countColumns(rows []fileRow) (widest int) {
	for _, r := range rows {
		for i, cell := range r.cells {
			if cell != "" {
				widest = max(widest, i+1)
			}
		}
	}
	return min(widest, MaxColumns)
}

// nameColumns returns the header. A column without a name, or with that of another, is named by its number.
func nameColumns(header []string, columns int) []string {
	names, seen := make([]string, columns), map[string]bool{}
	for i := range names {
		if i < len(header) {
			names[i] = header[i]
		}
		if names[i] == "" {
			names[i] = strconv.Itoa(i + 1)
		}
		for seen[names[i]] {
			names[i] += " " + strconv.Itoa(i+1)
		}
		seen[names[i]] = true
	}
	return names
}

func resizeRow(cells []string, columns int) []string {
	row := make([]string, columns)
	copy(row, cells)
	return row
}

// dropEmptyColumns removes columns without text in any row.
func (t ContactTable) dropEmptyColumns() ContactTable {
	var kept []int
	for i := range t.Header {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
			kept = append(kept, i)
		}
	}
	if len(kept) == len(t.Header) {
		return t
	}
	pick := func(cells []string) []string {
		var some []string
		for _, i := range kept {
			some = append(some, cells[i])
		}
		return some
	}
	t.Header = pick(t.Header)
	for i, row := range t.Rows {
		t.Rows[i] = pick(row)
	}
	return t
}
