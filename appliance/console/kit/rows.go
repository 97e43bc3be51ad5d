package kit

import (
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/list"
)

// PageRows returns the rows that match the query's search, its page of them, and the list's navigation; path is
// relative to the console.
func PageRows[R any](c echo.Context, path string, table list.Table[R], all []R) ([]R, component.TableList) {
	return PageLines(c, path, table.SearchRows(all, c.QueryParam("q")))
}

// ExportRows sends the rows that match the query's search as a CSV file.
func ExportRows[R any](c echo.Context, name string, table list.Table[R], all []R) error {
	found := table.SearchRows(all, strings.TrimSpace(c.QueryParam("q")))
	return SendCSV(c, name, table.ExportKeys(), found, table.ExportRow)
}

// FormViolations returns the violations of a use case for a form whose fields have their paths as names.
func FormViolations(found service.FieldViolations) []form.Violation {
	all := make([]form.Violation, len(found))
	for i, v := range found {
		all[i] = form.Violation{Path: v.Field, Message: v.Message}
	}
	return all
}
