// Package cookie keeps the appliance's cookies in one form. Over an encrypted connection their names have the prefix
// __Host-, so that a browser takes them from this host alone, over TLS alone, for all of its paths (RFC 6265bis,
// 4.1.3); over plain HTTP they can't have it. A cookie of the one connection therefore means nothing on the other.
package cookie

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// prefix binds a cookie to this host.
const prefix = "__Host-"

// Name is a cookie's name on this connection.
func Name(c echo.Context, name string) string {
	if encrypted(c) {
		return prefix + name
	}
	return name
}

// Get is a cookie's value; empty without one.
func Get(c echo.Context, name string) string {
	kept, err := c.Cookie(Name(c, name))
	if err != nil {
		return ""
	}
	return kept.Value
}

// Set gives the browser a cookie that scripts can't read; with keep 0 it goes with the browser's session.
func Set(c echo.Context, name, value string, keep time.Duration) {
	made := base(c, name)
	made.Value, made.MaxAge, made.HttpOnly = value, int(keep.Seconds()), true
	c.SetCookie(made)
}

// Remember gives the browser a visitor's choice, which the page's own scripts may change.
func Remember(c echo.Context, name, value string) {
	const year = 365 * 24 * 60 * 60
	made := base(c, name)
	made.Value, made.MaxAge = value, year
	c.SetCookie(made)
}

// End takes a cookie back.
func End(c echo.Context, name string) {
	gone := base(c, name)
	gone.MaxAge, gone.HttpOnly = -1, true
	c.SetCookie(gone)
}

// base is what all have in common. Lax: a link from elsewhere finds its reader signed in; what changes anything is a
// POST, which a foreign site's browser sends without the cookie.
func base(c echo.Context, name string) *http.Cookie {
	return &http.Cookie{Name: Name(c, name), Path: "/", SameSite: http.SameSiteLaxMode, Secure: encrypted(c)}
}

func encrypted(c echo.Context) bool { return c.Scheme() == "https" }
