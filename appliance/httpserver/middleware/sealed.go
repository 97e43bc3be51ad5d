package middleware

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// SetSecurityHeaders sets the security headers of every answer (Content-Security-Policy, X-Content-Type-Options:
// nosniff, Referrer-Policy, Cache-Control: no-store …): no guessed type, no script, no frame, no referrer, no cached
// copy. An API or page that needs others overwrites them.
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
