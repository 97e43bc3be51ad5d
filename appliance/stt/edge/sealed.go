package edge

import (
	"strings"

	"github.com/labstack/echo/v4"
)

// strict keeps a browser on TLS with this host for a year. Hosts below it are not ours to bind, so it says nothing of
// them; localhost is every developer's own, with other programs on its other ports, so it is not bound either.
const strict = "max-age=31536000"

// Sealed gives every answer the headers that keep a browser from making more of it than it is: no guessed type, no
// script, no frame, no address passed on, no copy kept. A face whose answers need other ones sets them over these.
func Sealed(next echo.HandlerFunc) echo.HandlerFunc {
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
		if c.Scheme() == "https" && !local(c.Request().Host) {
			h.Set(echo.HeaderStrictTransportSecurity, strict)
		}
		return next(c)
	}
}

// local says that a Host header names the client's own machine.
func local(host string) bool {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}
