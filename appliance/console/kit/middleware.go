package kit

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// setSecurityHeaders is middleware that sets the security headers of a page (Content-Security-Policy and others): no
// inline script or style, no foreign origin, no frame.
func setSecurityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		SetContentPolicy(c.Response().Header())
		return next(c)
	}
}

// SetContentPolicy sets the content security policy of a page.
func SetContentPolicy(h http.Header) {
	h.Set("Content-Security-Policy", strings.Join([]string{
		"default-src 'self'", "img-src 'self'", "media-src 'self' blob:", "worker-src 'self'",
		"connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
	}, "; "))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	// With no-referrer a browser sends "Origin: null" with forms, which over plain HTTP, without Sec-Fetch-Site, is
	// indistinguishable from a cross-site request.
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", "microphone=(self), camera=(), geolocation=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

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
