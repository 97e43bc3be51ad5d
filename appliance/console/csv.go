package console

import (
	"encoding/csv"
	"net/http"

	"github.com/labstack/echo/v4"
)

// csvHead says that a file follows.
func csvHead(c echo.Context, filename string) {
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/csv; charset=utf-8")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="`+filename+`"`)
	h.Set(echo.HeaderCacheControl, "no-store")
}

// beginCSV begins a file that spreadsheets take for UTF-8.
func beginCSV(c echo.Context, filename string) *csv.Writer {
	csvHead(c, filename)
	c.Response().WriteHeader(http.StatusOK)
	_, _ = c.Response().Write([]byte("\uFEFF")) // a connection that is gone shows at the first row
	return csv.NewWriter(c.Response())
}

// endBrokenCSV ends a file whose rest could not be read. Its head is gone with status 200, so its last row says so.
func endBrokenCSV(out *csv.Writer, err error) error {
	_ = out.Write([]string{"error: this file is not whole"}) // a connection that is gone needs no word
	out.Flush()
	return err
}
