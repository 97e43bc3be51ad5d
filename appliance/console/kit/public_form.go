package kit

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

// maxPublicBody is the body size limit of requests without sign-in, in bytes.
const maxPublicBody = 64 << 10

// LimitPublicForm refuses larger bodies.
func LimitPublicForm(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxPublicBody)
		if err := r.ParseForm(); err != nil {
			return NewFormError(err)
		}
		return next(c)
	}
}
