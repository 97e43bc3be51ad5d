package contactfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// readCSV reads a text file with columns.
func readCSV(data []byte) ([]fileRow, error) {
	text, err := decodeText(data)
	if err != nil {
		return nil, err
	}
	text, comma := findDelimiter(text)
	for line := range strings.Lines(text) {
		if strings.Count(line, string(comma)) > maxRowCells { // each cell takes 16 bytes or more, even an empty one
			return nil, ErrTooWide
		}
	}
	rows, err := parseCSV(text, comma, true)
	if errors.Is(err, errOpenQuote) { // an unclosed quote: quotes are ordinary characters
		rows, err = parseCSV(text, comma, false)
	}
	return rows, err
}

// decodeText decodes UTF-8 and UTF-16, with or without byte order mark; any other file is decoded as Windows-1256.
func decodeText(data []byte) (string, error) {
	var form encoding.Encoding
	switch {
	case bytes.HasPrefix(data, []byte("\xFF\xFE")):
		form = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case bytes.HasPrefix(data, []byte("\xFE\xFF")):
		form = unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)
	case isUTF16(data):
		form = unicode.UTF16(detectByteOrder(data), unicode.IgnoreBOM)
	case utf8.Valid(data):
		return strings.TrimPrefix(string(data), "\uFEFF"), nil
	default:
		form = charmap.Windows1256
	}
	text, err := form.NewDecoder().Bytes(data)
	if err != nil || bytes.Count(text, []byte("\uFFFD"))*20 > len(text) || isBinary(text) {
		return "", ErrNoTable
	}
	return string(text), nil
}

// isUTF16 reports whether a file without byte order mark is UTF-16, whose digits and separators have a zero byte each;
// some programs leave a few in other files.
func isUTF16(data []byte) bool {
	head := data[:min(len(data), 4096)]
	return bytes.Count(head, []byte{0})*20 > len(head)
}

// detectByteOrder detects the byte order of UTF-16 by the positions of its zero bytes.
func detectByteOrder(data []byte) unicode.Endianness {
	var zeros [2]int
	for i, b := range data[:min(len(data), 4096)] {
		if b == 0 {
			zeros[i%2]++
		}
	}
	if zeros[0] > zeros[1] {
		return unicode.BigEndian
	}
	return unicode.LittleEndian
}

// isBinary reports whether a text has too many control characters for a text file.
func isBinary(text []byte) bool {
	odd := 0
	for _, b := range text {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' {
			odd++
		}
	}
	return odd > 8+len(text)/100
}

// findDelimiter returns the column delimiter: the one in a first line "sep=;", which is removed, else the one that
// splits the first lines into the most columns of equal number.
func findDelimiter(text string) (rest string, comma rune) {
	first, after, _ := strings.Cut(text, "\n")
	first = strings.TrimSpace(first)
	if name, named := strings.CutPrefix(first, "sep="); named && utf8.RuneCountInString(name) == 1 {
		comma, _ = utf8.DecodeRuneInString(name)
		if comma != '"' && comma != utf8.RuneError {
			return after, comma
		}
	}
	lines := strings.SplitN(text, "\n", 22)
	lines = lines[:min(len(lines), 20)]
	comma, best := ',', 0
	for _, candidate := range []rune{',', ';', '\t', '|', '،'} {
		if score := scoreDelimiter(lines, candidate); score > best {
			comma, best = candidate, score
		}
	}
	return text, comma
}

// scoreDelimiter multiplies each number of columns by the square of the number of lines that have it, and returns the
// largest product; 0 if the delimiter does not occur.
func scoreDelimiter(lines []string, comma rune) int {
	counts := map[int]int{}
	best := 0
	for _, line := range lines {
		n := countOutsideQuotes(line, comma)
		if n == 0 {
			continue
		}
		counts[n]++
		best = max(best, counts[n]*counts[n]*(n+1))
	}
	return best
}

func countOutsideQuotes(line string, comma rune) (n int) {
	quoted := false
	for _, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case r == comma && !quoted:
			n++
		}
	}
	return n
}

// errOpenQuote is the error of a quoted cell over more lines than allowed, whose closing quote must be missing.
var errOpenQuote = errors.New("a quote is not closed")

// parseCSV splits a text into rows. Without quotes, quotation marks are ordinary characters.
func parseCSV(text string, comma rune, quotes bool) ([]fileRow, error) {
	if !quotes {
		return splitLines(text, comma)
	}
	in := csv.NewReader(strings.NewReader(text))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes = comma, -1, true
	var rows []fileRow
	for total := 0; ; {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, errOpenQuote
		}
		line, _ := in.FieldPos(0)
		for _, cell := range cells {
			if strings.Count(cell, "\n") > maxLineRows {
				return nil, errOpenQuote
			}
			total += len(cell)
		}
		if rows, err = addRow(rows, fileRow{line, cells}, total); err != nil {
			return nil, err
		}
	}
}

// splitLines splits a text at every delimiter and line break.
func splitLines(text string, comma rune) (rows []fileRow, err error) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		cells := strings.Split(strings.TrimRight(line, "\r\n"), string(comma))
		for i, cell := range cells {
			cells[i] = strings.Trim(cell, `"`)
		}
		if rows, err = addRow(rows, fileRow{number, cells}, 0); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// addRow appends a row unless it is empty; total is the size of all rows in bytes. The error is [ErrTooMany],
// [ErrTooLarge] or [ErrTooWide].
func addRow(rows []fileRow, r fileRow, total int) ([]fileRow, error) {
	if len(r.cells) > MaxColumns {
		if strings.TrimSpace(strings.Join(r.cells[MaxColumns:], "")) != "" {
			return nil, ErrTooWide
		}
		r.cells = r.cells[:MaxColumns]
	}
	if countFilled(r.cells) == 0 {
		return rows, nil
	}
	switch {
	case len(rows) > MaxRows+headerRows:
		return nil, ErrTooMany
	case total > maxText:
		return nil, ErrTooLarge
	}
	return append(rows, r), nil
}
