package middleware

import (
	"context"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"
)

// HeadAsGet answers HEAD on every route with GET and without HEAD (RFC 9110 §9.3.2): the GET handler runs, and net/http
// drops the body. The request's context ends once the headers are written, so that an SSE stream does not continue
// without a reader. It must be the innermost middleware.
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

// isRouted reports whether the matched route is registered for that method, and is not the not-found route.
func isRouted(c echo.Context, method string) bool {
	return slices.ContainsFunc(c.Echo().Routes(), func(r *echo.Route) bool {
		return r.Method == method && r.Path == c.Path()
	})
}
