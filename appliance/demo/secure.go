package demo

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// contentSecurityPolicy returns the Content-Security-Policy (CSP) of the demo page and its assets: no inline script or
// style, no foreign origin, no frame. Recordings are played from blob: URLs; the AudioWorklet's module is of the same
// origin.
func contentSecurityPolicy() string {
	return strings.Join([]string{
		"default-src 'self'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		"font-src 'self'",
		"connect-src 'self'",
		"media-src 'self' blob:",
		"worker-src 'self'",
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
}

// SetSecurityHeaders sets the security headers of a page: CSP, nosniff, X-Frame-Options, Referrer-Policy,
// Permissions-Policy.
func SetSecurityHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	csp := contentSecurityPolicy()
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Content-Security-Policy", csp)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Permissions-Policy", "microphone=(self), camera=(), geolocation=(), payment=(), usb=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		return next(c)
	}
}
