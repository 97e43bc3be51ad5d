package kit

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// maxBody is the request body size limit in bytes; the largest body is a recording for the workbench.
const maxBody = 100 << 20

// limitBody refuses larger bodies (413) before a handler reads them.
func limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.ContentLength > maxBody {
			return echo.NewHTTPError(http.StatusRequestEntityTooLarge, "the request is larger than allowed")
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxBody)
		return next(c)
	}
}
