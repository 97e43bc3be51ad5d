package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
)

// maxPublicBody is the body size limit of requests without sign-in, in bytes.
const maxPublicBody = 64 << 10

// limitPublicForm refuses larger bodies.
func limitPublicForm(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxPublicBody)
		if err := r.ParseForm(); err != nil {
			return kit.NewFormError(err)
		}
		return next(c)
	}
}
