package kit

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/contactfile"
	"munadi/appliance/csvcell"
	"munadi/store"
	"munadi/store/phonenumber"
	"munadi/ui/component"
	"munadi/ui/list"
	"munadi/ui/locale"
)

// PageRows returns the rows that match the query's search, its page of them, and the list's navigation; path is
// relative to the console.
func PageRows[R any](c echo.Context, path string, table list.Table[R], all []R) ([]R, component.TableList) {
	return pageLines(c, path, table.SearchRows(all, c.QueryParam("q"), ContainsFold))
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

// SendWorkbook sends sheets as an Excel workbook, which reads from the right in Arabic, under the names that
// [nameDownload] explains. It is sent while its rows are read: an error before the first row is a proper response, a
// later one breaks the download off.
func SendWorkbook(c echo.Context, plain, name string, sheets ...contactfile.WorkbookSheet) error {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, workbookType)
	nameDownload(c, plain, name)
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

// nameDownload names a download. plain is for clients that read no name in UTF-8 (RFC 8187); without another, for all.
func nameDownload(c echo.Context, plain, name string) {
	disposition := `attachment; filename="` + plain + `"`
	if name != "" {
		disposition += `; filename*=UTF-8''` + url.PathEscape(name)
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, disposition)
}

// ByteOrderMark begins a File whose encoding spreadsheets recognize as UTF-8.
const ByteOrderMark = "\uFEFF"

// SetCSVHeaders sets the headers of a CSV download; its names are those of [SendWorkbook].
func SetCSVHeaders(c echo.Context, plain, name string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderCacheControl, "no-store")
	nameDownload(c, plain, name)
}

// beginCSV starts a CSV download with a byte order mark, by which spreadsheets recognize UTF-8.
func beginCSV(c echo.Context, filename string) *csv.Writer {
	SetCSVHeaders(c, filename, "")
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
	out := beginCSV(c, filename)
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

// linesPerPage is the number of lines of a short list on a page.
const linesPerPage = 50

// pageLines returns the page of a list that the query selects, and its navigation; path is relative to the console.
func pageLines[T any](c echo.Context, path string, all []T) ([]T, component.TableList) {
	q := strings.TrimSpace(c.QueryParam("q"))
	list := component.TableList{Action: Root + path, Filter: q, CSV: ListAddress(path+".csv", q, 0)}
	n, _ := strconv.Atoi(c.QueryParam("page")) // checkPageNumber refuses what is none
	from := min(n, len(all)/linesPerPage) * linesPerPage
	to := min(from+linesPerPage, len(all))
	if from > 0 {
		list.First = ListAddress(path, q, from/linesPerPage-1)
	}
	if to < len(all) {
		list.Next = ListAddress(path, q, to/linesPerPage)
	}
	list.Shown = to - from
	return all[from:to], list
}

// ListAddress returns the address of a page of a short list.
func ListAddress(path, q string, page int) string {
	return BuildURL(Root+path, "q", q, "page", formatPositive(page))
}

// BuildURL returns a path with a query of names and values; empty values are left out.
func BuildURL(path string, pairs ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// RowsPerPage is the number of rows of a long list on a page.
const RowsPerPage = 50

// MaxStorePage is the store's largest page of calls.
const MaxStorePage = 200

// MaxExaminedByName is the number of calls examined for a page of a search by name.
const MaxExaminedByName = 2000
