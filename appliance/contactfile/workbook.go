package contactfile

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// WorkbookSheet is a sheet of a workbook that is written: a header and rows.
type WorkbookSheet struct {
	Name    string
	Columns []string
	// Rows calls row for each row. A cell is a text, an int, a float64, a [time.Time], which is written as the clock of
	// its zone shows it (spreadsheets know no zones), or nil for an empty one.
	Rows func(row func(cells []any) error) error
}

// columnWidth is the width of columns, in characters.
const columnWidth = 18

// The indexes of the formats of cells in workbookStyles.
const (
	boldStyle   = 1
	momentStyle = 2
)

// WriteWorkbook writes sheets as an Excel workbook (ECMA-376), their header fixed; the first column is on the right
// where rightToLeft says so. Texts stay texts: a number that begins with zero or plus keeps it, and none is a formula.
//
// The file is written while its rows are read; nothing is written before the first row, so that an error until then can
// be answered otherwise. A later error leaves a file that no program opens. If w has a method Flush, it is called once,
// after the first row.
func WriteWorkbook(w io.Writer, rightToLeft bool, sheets ...WorkbookSheet) error {
	b := &workbookWriter{to: w, sheets: sheets, rightToLeft: rightToLeft}
	for i, sheet := range sheets {
		b.began = false
		err := sheet.Rows(func(cells []any) error {
			if err := b.beginSheet(i); err != nil {
				return err
			}
			return b.writeRow(cells, 0)
		})
		if err == nil {
			err = b.beginSheet(i) // without rows
		}
		if err == nil {
			_, err = io.WriteString(b.out, `</sheetData></worksheet>`)
		}
		if err == nil {
			err = b.out.Flush()
		}
		if err != nil {
			return err
		}
	}
	return b.archive.Close()
}

// workbookWriter writes the parts of a workbook into a ZIP archive.
type workbookWriter struct {
	to          io.Writer
	archive     *zip.Writer
	out         *bufio.Writer // the sheet
	sheets      []WorkbookSheet
	rightToLeft bool
	began       bool // the sheet
	row         int
	columns     []string // A, B, …
}

// beginSheet writes the beginning of a sheet, and before the first one the other parts, unless it is written.
func (b *workbookWriter) beginSheet(i int) error {
	if b.began {
		return nil
	}
	if b.archive == nil {
		if err := b.writeParts(); err != nil {
			return err
		}
	}
	part, err := b.archive.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1))
	if err != nil {
		return err
	}
	b.out, b.began, b.row = bufio.NewWriterSize(part, 64<<10), true, 0
	direction := ""
	if b.rightToLeft {
		direction = ` rightToLeft="1"`
	}
	columns := max(len(b.sheets[i].Columns), 1)
	_, err = fmt.Fprintf(b.out, xml.Header+`<worksheet xmlns="`+sheetSpace+`">`+
		`<sheetViews><sheetView workbookViewId="0"%s>`+
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`+
		`<cols><col min="1" max="%d" width="%d" customWidth="1"/></cols><sheetData>`, direction, columns, columnWidth)
	if err != nil {
		return err
	}
	names := make([]any, len(b.sheets[i].Columns))
	for i, name := range b.sheets[i].Columns {
		names[i] = name
	}
	if err := b.writeRow(names, boldStyle); err != nil || i > 0 {
		return err
	}
	return b.flush()
}

// flush sends what is written so far to the reader of the file.
func (b *workbookWriter) flush() error {
	if err := b.out.Flush(); err != nil {
		return err
	}
	if err := b.archive.Flush(); err != nil {
		return err
	}
	if w, can := b.to.(interface{ Flush() }); can {
		w.Flush()
	}
	return nil
}

// writeRow writes a row of cells; its texts have a style.
func (b *workbookWriter) writeRow(cells []any, style int) error {
	b.row++
	number := strconv.Itoa(b.row)
	_, _ = b.out.WriteString(`<row r="` + number + `">`) // the error stays in the buffer until the end of the row
	for i, cell := range cells {
		if i == len(b.columns) {
			name, err := excelize.ColumnNumberToName(i + 1)
			if err != nil {
				return err
			}
			b.columns = append(b.columns, name)
		}
		b.writeCell(b.columns[i]+number, cell, style)
	}
	_, err := b.out.WriteString(`</row>`)
	return err
}

func (b *workbookWriter) writeCell(at string, cell any, style int) {
	place := `<c r="` + at + `" s="` + strconv.Itoa(style) + `"`
	switch cell := cell.(type) {
	case nil:
	case string:
		if cell != "" {
			_, _ = b.out.WriteString(place + ` t="inlineStr"><is><t xml:space="preserve">`)
			_ = xml.EscapeText(b.out, []byte(cellString(cell)))
			_, _ = b.out.WriteString(`</t></is></c>`)
		}
	case time.Time:
		place = `<c r="` + at + `" s="` + strconv.Itoa(momentStyle) + `"`
		_, _ = b.out.WriteString(place + `><v>` + strconv.FormatFloat(excelDays(cell), 'f', -1, 64) + `</v></c>`)
	default:
		_, _ = fmt.Fprintf(b.out, `%s><v>%v</v></c>`, place, cell)
	}
}

// escapedChar matches text that readers take for an escaped character (ECMA-376 part 1, 22.9.2.19).
var escapedChar = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// cellString returns a text as a cell holds it; one that is too long for a cell ends with an ellipsis.
func cellString(text string) string {
	if utf8.RuneCountInString(text) > excelize.TotalCellChars {
		text = string([]rune(text)[:excelize.TotalCellChars-1]) + "…"
	}
	return escapedChar.ReplaceAllStringFunc(text, func(found string) string { return "_x005F" + found })
}

// excelDays returns the date and time that a zone's clock shows, in days since the beginning of 1899-12-30.
func excelDays(at time.Time) float64 {
	clock := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
	return clock.Sub(excelEpoch).Hours() / 24
}

// The namespaces of the parts, and what is the same in every workbook.
const (
	sheetSpace    = `http://schemas.openxmlformats.org/spreadsheetml/2006/main`
	packageSpace  = `http://schemas.openxmlformats.org/package/2006/`
	officeSpace   = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	documentTypes = `application/vnd.openxmlformats-officedocument.spreadsheetml.`

	workbookStyles = `<styleSheet xmlns="` + sheetSpace + `">` +
		`<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd hh:mm"/></numFmts>` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
		`<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
		`<fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>` +
		`<cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
)

// writeParts begins the archive with the parts that precede the sheets.
func (b *workbookWriter) writeParts() error {
	b.archive = zip.NewWriter(b.to)
	b.archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	types, sheets, links := "", "", ""
	for i, sheet := range b.sheets {
		n := strconv.Itoa(i + 1)
		types += `<Override PartName="/xl/worksheets/sheet` + n + `.xml" ContentType="` + documentTypes + `worksheet+xml"/>`
		sheets += `<sheet name="` + escapeText(sheet.Name) + `" sheetId="` + n + `" r:id="rId` + n + `"/>`
		links += relation(n, "worksheet", "worksheets/sheet"+n+".xml")
	}
	styles := strconv.Itoa(len(b.sheets) + 1)
	book := `<workbook xmlns="` + sheetSpace + `" xmlns:r="` + officeSpace + `"><sheets>` + sheets + `</sheets></workbook>`
	for _, part := range []struct{ name, content string }{
		{"[Content_Types].xml", `<Types xmlns="` + packageSpace + `content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + documentTypes + `sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + documentTypes + `styles+xml"/>` + types + `</Types>`},
		{"_rels/.rels", relations(relation("1", "officeDocument", "xl/workbook.xml"))},
		{"xl/workbook.xml", book},
		{"xl/_rels/workbook.xml.rels", relations(links + relation(styles, "styles", "styles.xml"))},
		{"xl/styles.xml", workbookStyles},
	} {
		to, err := b.archive.Create(part.name)
		if err == nil {
			_, err = io.WriteString(to, xml.Header+part.content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func relations(all string) string {
	return `<Relationships xmlns="` + packageSpace + `relationships">` + all + `</Relationships>`
}

func relation(id, kind, target string) string {
	return `<Relationship Id="rId` + id + `" Type="` + officeSpace + `/` + kind + `" Target="` + target + `"/>`
}

func escapeText(text string) string {
	var out strings.Builder
	_ = xml.EscapeText(&out, []byte(text)) // a Builder returns no error
	return out.String()
}
