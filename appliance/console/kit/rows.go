package kit

import (
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/contactfile"
	"munadi/appliance/csvcell"
	"munadi/store"
	"munadi/ui/component"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// PageRows returns the rows that match the query's search, its page of them, and the list's navigation; path is
// relative to the console.
func PageRows[R any](c echo.Context, path string, table list.Table[R], all []R) ([]R, component.TableList) {
	return PageLines(c, path, table.SearchRows(all, c.QueryParam("q"), ContainsFold))
}

// ExportRows sends the rows that match the query's search as a CSV file, or returns the error of reading them.
func ExportRows[R any](c echo.Context, name string, table list.Table[R], all []R, err error) error {
	if err != nil {
		return err
	}
	found := table.SearchRows(all, c.QueryParam("q"), ContainsFold)
	return SendCSV(c, name, table.ExportKeys(), found, table.ExportRow)
}

// TableFile is a list of which the store serves pages, as a file.
type TableFile[R any] struct {
	Name   string // of the file, without the ending
	Title  string // of a workbook's sheet
	Table  list.Table[R]
	Header []string // display names of the exported columns
	Zone   *time.Location
	Read   func(cursor string) (store.ListPage[R], error)
}

// SendTableCSV sends the file as CSV, page by page as it is read.
func SendTableCSV[R any](c echo.Context, f TableFile[R]) error {
	return SendPagedCSV(c, f.Name+".csv", guardCells(f.Header), f.Read, f.Table.ExportRow)
}

// maxSheetRows is how many rows a sheet of Excel has below its header, and above the mark of an incomplete file.
const maxSheetRows = 1<<20 - 2

// SendTableWorkbook sends the file as an Excel workbook, with times of the zone, page by page as it is read.
func SendTableWorkbook[R any](c echo.Context, f TableFile[R]) error {
	rows := func(row func([]any) error) error {
		n := 0
		for cursor, more := "", true; more; {
			found, err := f.Read(cursor)
			if err != nil {
				return err
			}
			for _, one := range found.Items {
				if n++; n > maxSheetRows {
					return row([]any{csvcell.IncompleteMark})
				}
				if err := row(f.Table.WorkbookRow(one, f.Zone)); err != nil {
					return err
				}
			}
			cursor, more = found.Next, found.Next != ""
		}
		if !store.DamageReportOf(c.Request().Context()).IsEmpty() {
			return row([]any{csvcell.IncompleteMark})
		}
		return nil
	}
	return SendWorkbook(c, f.Name+".xlsx", "", contactfile.WorkbookSheet{Name: f.Title, Columns: f.Header, Rows: rows})
}

// workbookType is the media type of Excel workbooks (ECMA-376).
const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// SendWorkbook sends sheets as an Excel workbook, which reads from the right in Arabic. plain is its name for clients
// that read no name in UTF-8 (RFC 8187); without another, for all. It is sent while its rows are read: an error
// before the first row is a proper response, a later one breaks the download off.
func SendWorkbook(c echo.Context, plain, name string, sheets ...contactfile.WorkbookSheet) error {
	disposition := `attachment; filename="` + plain + `"`
	if name != "" {
		disposition += `; filename*=UTF-8''` + url.PathEscape(name)
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, workbookType)
	h.Set(echo.HeaderContentDisposition, disposition)
	h.Set(echo.HeaderCacheControl, "no-store")
	err := contactfile.WriteWorkbook(c.Response(), RequestVisitor(c).Lang == locale.Arabic, sheets...)
	switch {
	case err == nil:
	case !c.Response().Committed:
		h.Del(echo.HeaderContentDisposition) // the page of the error is no file
	case c.Request().Context().Err() == nil:
		panic(err) //nolint:forbidigo // cuts the connection, so that the file is seen to be incomplete, and is logged
	}
	return err
}
