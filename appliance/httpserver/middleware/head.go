package middleware

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
)

// HeadAsGet answers HEAD wherever GET is routed and HEAD is not (RFC 9110 §9.3.2): the GET handler runs, and net/http
// drops the body that it writes. The request's context ends with the head of the answer, so that a stream of events
// does not go on for a client that takes none. It must be the innermost middleware.
func HeadAsGet(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodHead || isRouted(c, http.MethodHead) {
			return next(c)
		}
		path := echo.GetPath(r)
		c.Echo().Router().Find(http.MethodGet, path, c)
		if !isRouted(c, http.MethodGet) {
			c.Echo().Router().Find(http.MethodHead, path, c)
			return next(c)
		}
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		get := r.WithContext(ctx)
		get.Method = http.MethodGet
		c.Response().Before(cancel)
		c.SetRequest(get)
		defer c.SetRequest(r) // for the log
		return c.Handler()(c)
	}
}

// isRouted says whether the route that was found is one of that method, and not one for what is not found.
func isRouted(c echo.Context, method string) bool {
	return slices.ContainsFunc(c.Echo().Routes(), func(r *echo.Route) bool {
		return r.Method == method && r.Path == c.Path()
	})
}
