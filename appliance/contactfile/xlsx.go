package contactfile

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"munadi/appliance/recovery"
)

// maxRowCells is the largest number of cells in a row of a sheet, empty ones included.
const maxRowCells = 1024

// dateFormat is the number format that replaces all date and time formats, so that all dates are read in one form.
const dateFormat = `yyyy\-mm\-dd\Thh:mm:ss`

// readWorkbook reads the sheets with rows, the active one first, and leaves out hidden ones.
func readWorkbook(ctx context.Context, data []byte) (tables []ContactTable, err error) {
	if data, err = cleanArchive(data); err != nil {
		return nil, err
	}
	var book *excelize.File
	if err := readSafely(ctx, func() error {
		book, err = excelize.OpenReader(bytes.NewReader(data), excelize.Options{
			UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: maxUnzipped, // equal: no temporary files
		})
		if err == nil {
			unifyDates(book)
		}
		return err
	}); err != nil {
		return nil, err
	}
	defer func() { _ = book.Close() }()
	var failed error
	size := 0
	for _, name := range shownSheets(book) {
		var table ContactTable
		err := readSafely(ctx, func() error {
			rows, total, err := readSheet(ctx, book, name, size)
			if err == nil {
				size = total
				table, err = buildTable(rows)
			}
			return err
		})
		switch table.Sheet = cleanCell(name); {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil:
			tables = append(tables, table)
		case failed == nil && !errors.Is(err, ErrEmpty):
			failed = err
		}
	}
	if len(tables) == 0 && failed == nil {
		failed = ErrEmpty
	}
	return tables, failed
}

// readSafely calls read, which may panic on invalid indexes in the file. The error is one that says what to do.
func readSafely(ctx context.Context, read func() error) error {
	err := recovery.RecoverPanic(read)
	isLimit := func(limit error) bool { return errors.Is(err, limit) }
	if err == nil || ctx.Err() != nil ||
		slices.ContainsFunc([]error{ErrEmpty, ErrTooLarge, ErrTooMany, ErrTooWide, ErrOddXML}, isLimit) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrNoTable, err)
}

// shownSheets returns the names of the sheets that are not hidden, the active one first.
func shownSheets(book *excelize.File) []string {
	names := book.GetSheetList()
	active := ""
	if at := book.GetActiveSheetIndex(); at >= 0 && at < len(names) {
		active = names[at]
		names = append([]string{active}, slices.Delete(names, at, at+1)...)
	}
	return slices.DeleteFunc(names, func(name string) bool {
		visible, err := book.GetSheetVisible(name)
		return err == nil && !visible && name != active
	})
}

// unifyDates gives all cells with a date or time one number format, and all others none.
func unifyDates(book *excelize.File) {
	if book.Styles == nil || book.Styles.CellXfs == nil {
		return
	}
	codes := map[int]string{}
	if book.Styles.NumFmts != nil {
		for _, f := range book.Styles.NumFmts.NumFmt {
			if f != nil {
				codes[f.NumFmtID] = f.FormatCode
			}
		}
	}
	dated, err := book.NewStyle(&excelize.Style{CustomNumFmt: new(dateFormat)})
	if err != nil || dated >= len(book.Styles.CellXfs.Xf) {
		return
	}
	wanted, plain := book.Styles.CellXfs.Xf[dated].NumFmtID, 0
	for i := range book.Styles.CellXfs.Xf {
		format := &book.Styles.CellXfs.Xf[i]
		switch {
		case format.NumFmtID == nil:
		case isDateFormat(*format.NumFmtID, codes[*format.NumFmtID]):
			format.NumFmtID = wanted
		case i != dated:
			format.NumFmtID = &plain
		}
	}
}

// quotedFormat matches the literal parts of a number format: texts, colours, currencies, escaped characters.
var quotedFormat = regexp.MustCompile(`"[^"]*"|\[[^\]hms]*\]|\\.|_.|\*.`)

// isDateFormat reports whether a number format, built-in or with a code, formats dates or times.
func isDateFormat(id int, code string) bool {
	if code != "" {
		return strings.ContainsAny(strings.ToLower(quotedFormat.ReplaceAllString(code, "")), "ymdhs")
	}
	return id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58
}

// readSheet reads a sheet with two iterators at once: its stored values, and its formatted values. It adds the bytes of
// its cells to the total of the workbook.
func readSheet(ctx context.Context, book *excelize.File, name string, total int) (rows []fileRow, _ int, err error) {
	stored, err := book.Rows(name)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = stored.Close() }()
	shown, err := book.Rows(name)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = shown.Close() }()
	for number := 1; stored.Next() && shown.Next(); number++ {
		raw, err := stored.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, 0, err
		}
		texts, err := shown.Columns()
		if err != nil {
			return nil, 0, err
		}
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if len(raw) > maxRowCells {
			return nil, 0, ErrTooLarge
		}
		cells := rowTexts(raw, texts)
		total += len(strings.Join(cells, ""))
		if rows, err = addRow(rows, fileRow{number, cells}, total); err != nil {
			return nil, 0, err
		}
	}
	return rows, total, nil
}

// rowTexts returns the texts of a row from its stored values and its formatted ones, of which there may be fewer.
func rowTexts(raw, shown []string) []string {
	cells := make([]string, len(raw))
	for i := range cells {
		text := ""
		if i < len(shown) {
			text = shown[i]
		}
		cells[i] = cellText(raw[i], text)
	}
	return cells
}

// shownDate matches a date in dateFormat.
var shownDate = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d$`)

// cellText returns the text of a cell from its stored and its formatted value.
func cellText(raw, shown string) string {
	number, err := strconv.ParseFloat(raw, 64)
	if err != nil {
		return raw
	}
	if parts := shownDate.FindStringSubmatch(shown); parts != nil {
		switch {
		case number < 1: // only a time
			return parts[2]
		case parts[2] == "00:00":
			return parts[1]
		}
		return parts[1] + " " + parts[2]
	}
	if shown == "TRUE" || shown == "FALSE" {
		return shown
	}
	if strings.ContainsAny(raw, "eE") { // 9.66512345601E+11
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return raw
}

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
