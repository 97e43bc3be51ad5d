package httpserver

import (
	"net/url"

	"github.com/labstack/echo/v4"
)

// DecodePathParam returns a parameter of the route, percent-decoded once: echo leaves it encoded only where the path's
// encoding is not the usual one (its RawPath is set), so that decoding it always would decode some twice.
func DecodePathParam(c echo.Context, name string) (string, error) {
	if c.Request().URL.RawPath == "" {
		return c.Param(name), nil
	}
	return url.PathUnescape(c.Param(name))
}
