package middleware

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// SetSecurityHeaders gives every answer the headers that keep a browser from making more of it than it is: no guessed type, no
// script, no frame, no address passed on, no copy kept. A face whose answers need other ones sets them over these.
func SetSecurityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	policy := strings.Join([]string{
		"default-src 'none'", "media-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'none'",
		"frame-ancestors 'none'",
	}, "; ")
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set(echo.HeaderContentSecurityPolicy, policy)
		h.Set(echo.HeaderXContentTypeOptions, "nosniff")
		h.Set(echo.HeaderReferrerPolicy, "no-referrer")
		h.Set(echo.HeaderCacheControl, "no-store")
		return next(c)
	}
}
