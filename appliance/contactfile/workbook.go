package contactfile

import (
	"io"
	"time"

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

// WriteWorkbook writes sheets as an Excel workbook (ECMA-376), their header fixed; the first column is on the right
// where rightToLeft says so. Texts stay texts: a number that begins with zero or plus keeps it, and none is a formula.
func WriteWorkbook(w io.Writer, rightToLeft bool, sheets ...WorkbookSheet) error {
	book := excelize.NewFile()
	defer func() { _ = book.Close() }() // it has temporary files only if it is large
	for i, sheet := range sheets {
		if i == 0 {
			if err := book.SetSheetName(book.GetSheetName(0), sheet.Name); err != nil {
				return err
			}
		} else if _, err := book.NewSheet(sheet.Name); err != nil {
			return err
		}
		// Before the rows: the stream of rows writes the sheet's head.
		view := excelize.ViewOptions{RightToLeft: &rightToLeft}
		if err := book.SetSheetView(sheet.Name, 0, &view); err != nil {
			return err
		}
		if err := writeSheet(book, sheet); err != nil {
			return err
		}
	}
	_, err := book.WriteTo(w)
	return err
}

func writeSheet(book *excelize.File, sheet WorkbookSheet) error {
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	form := `yyyy\-mm\-dd hh:mm`
	moment, err := book.NewStyle(&excelize.Style{CustomNumFmt: &form})
	if err != nil {
		return err
	}
	out, err := book.NewStreamWriter(sheet.Name)
	if err != nil {
		return err
	}
	if err := out.SetColWidth(1, max(len(sheet.Columns), 1), columnWidth); err != nil {
		return err
	}
	header := excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}
	if err := out.SetPanes(&header); err != nil {
		return err
	}
	names := make([]any, len(sheet.Columns))
	for i, name := range sheet.Columns {
		names[i] = excelize.Cell{StyleID: bold, Value: name}
	}
	if err := out.SetRow("A1", names); err != nil {
		return err
	}
	n := 1
	err = sheet.Rows(func(cells []any) error {
		n++
		for i, cell := range cells {
			if at, is := cell.(time.Time); is {
				cells[i] = excelize.Cell{StyleID: moment, Value: wallClock(at)}
			}
		}
		first, err := excelize.CoordinatesToCellName(1, n)
		if err != nil {
			return err
		}
		return out.SetRow(first, cells)
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// wallClock returns the date and time that a zone's clock shows, as a time in UTC.
func wallClock(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}
