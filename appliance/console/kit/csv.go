package kit

import (
	"encoding/csv"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/csvcell"
	"munadi/store"
	"munadi/store/phonenumber"
)

// ByteOrderMark begins a File whose encoding spreadsheets recognize as UTF-8.
const ByteOrderMark = "\uFEFF"

// SetCSVHeaders sets the headers of a CSV download.
func SetCSVHeaders(c echo.Context, filename string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+filename+`"`)
	h.Set(echo.HeaderCacheControl, "no-store")
}

// BeginCSV starts a CSV download with a byte order mark, by which spreadsheets recognize UTF-8.
func BeginCSV(c echo.Context, filename string) *csv.Writer {
	SetCSVHeaders(c, filename)
	c.Response().WriteHeader(http.StatusOK)
	_, _ = c.Response().Write([]byte(ByteOrderMark)) // a failed connection is reported by the first row
	return csv.NewWriter(c.Response())
}

// SendPagedCSV sends a list as a CSV File while it is read page by page; read returns the page at a cursor, row the
// cells of a record, or nil to leave it out.
func SendPagedCSV[T any](
	c echo.Context, filename string, columns []string, read func(cursor string) (store.ListPage[T], error),
	row func(T) []string,
) error {
	found, err := read("")
	if err != nil {
		return err
	}
	out := BeginCSV(c, filename)
	_ = out.Write(columns) // out.Error reports it below
	for {
		for _, one := range found.Items {
			if cells := row(one); cells != nil {
				_ = out.Write(guardCells(cells))
			}
		}
		if found.Next == "" || out.Error() != nil {
			break
		}
		if found, err = read(found.Next); err != nil {
			return csvcell.EndBrokenFile(out, err)
		}
	}
	return csvcell.EndFile(c.Request().Context(), out)
}

// SendCSV sends a list as a CSV File.
func SendCSV[T any](c echo.Context, name string, columns []string, all []T, row func(T) []string) error {
	read := func(string) (store.ListPage[T], error) { return store.ListPage[T]{Items: all}, nil }
	return SendPagedCSV(c, name+".csv", columns, read, row)
}

// guardCells escapes the cells of a row that a spreadsheet would run as formulas. A telephone number stays as it is: as
// a formula it is itself.
func guardCells(cells []string) []string {
	for i := range cells {
		if !phonenumber.IsE164(cells[i]) {
			cells[i] = csvcell.GuardCell(cells[i])
		}
	}
	return cells
}
