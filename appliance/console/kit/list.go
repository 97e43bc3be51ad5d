package kit

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/ui/component"
)

// linesPerPage is the number of lines of a short list on a page.
const linesPerPage = 50

// PageLines returns the page of a list that the query selects, and its navigation; path is relative to the console.
func PageLines[T any](c echo.Context, path string, all []T) ([]T, component.TableList) {
	q := strings.TrimSpace(c.QueryParam("q"))
	list := component.TableList{Action: Root + path, Filter: q, CSV: ListAddress(path+".csv", q, 0)}
	n, _ := strconv.Atoi(c.QueryParam("page")) // anything else is the first page
	from := min(max(n, 0), len(all)/linesPerPage) * linesPerPage
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
	return BuildURL(Root+path, "q", q, "page", FormatPositive(page))
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
