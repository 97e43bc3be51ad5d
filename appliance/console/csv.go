package console

import (
	"github.com/labstack/echo/v4"
)

// csvHead says that a file follows.
func csvHead(c echo.Context, filename string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+filename+`"`)
	h.Set("Cache-Control", "no-store")
}
