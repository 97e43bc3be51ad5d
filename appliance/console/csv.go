package console

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// formula begins what a spreadsheet would compute rather than show.
const formula = "=+-@\t\r"

// guarded is text that a spreadsheet shows as it is: what looks like a formula gets an apostrophe in front.
func guarded(text string) string {
	if text != "" && strings.ContainsRune(formula, rune(text[0])) {
		return "'" + text
	}
	return text
}

// unguarded takes the apostrophe away again.
func unguarded(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found && guarded(rest) != rest {
		return rest
	}
	return text
}

// csvHead says that a file follows.
func csvHead(c echo.Context, filename string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+filename+`"`)
	h.Set("Cache-Control", "no-store")
}
