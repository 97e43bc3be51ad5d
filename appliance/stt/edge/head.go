package edge

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
)

// HeadAsGet answers HEAD wherever GET is routed and HEAD is not (RFC 9110 §9.3.2): the GET handler runs, and net/http
// drops the body that it writes. The request's context ends with the head of the answer, so that a stream of events
// does not go on for a client that takes none. It must be the innermost middleware.
func HeadAsGet(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodHead || !allows(c, http.MethodGet) {
			return next(c)
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		get := r.WithContext(ctx)
		get.Method = http.MethodGet
		c.Response().Before(cancel)
		c.SetRequest(get)
		defer c.SetRequest(r) // for the log
		c.Echo().Router().Find(http.MethodGet, echo.GetPath(get), c)
		return c.Handler()(c)
	}
}

// allows says whether a request was routed to "method not allowed" while another method is allowed.
func allows(c echo.Context, method string) bool {
	allow, _ := c.Get(echo.ContextKeyHeaderAllow).(string)
	return slices.Contains(strings.Split(allow, ", "), method)
}
