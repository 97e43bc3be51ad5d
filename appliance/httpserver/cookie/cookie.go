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

// CookieName is a cookie's name on this connection.
func CookieName(c echo.Context, name string) string {
	if isEncrypted(c) {
		return prefix + name
	}
	return name
}

// ReadCookie is a cookie's value; empty without one.
func ReadCookie(c echo.Context, name string) string {
	kept, err := c.Cookie(CookieName(c, name))
	if err != nil {
		return ""
	}
	return kept.Value
}

// SetCookie gives the browser a cookie that scripts can't read; with keep 0 it goes with the browser's session.
func SetCookie(c echo.Context, name, value string, keep time.Duration) {
	made := newCookie(c, name)
	made.Value, made.MaxAge, made.HttpOnly = value, int(keep.Seconds()), true
	c.SetCookie(made)
}

// SetPreference gives the browser a visitor's choice, which the page's own scripts may change.
func SetPreference(c echo.Context, name, value string) {
	const year = 365 * 24 * 60 * 60
	made := newCookie(c, name)
	made.Value, made.MaxAge = value, year
	c.SetCookie(made)
}

// ClearCookie takes a cookie back.
func ClearCookie(c echo.Context, name string) {
	gone := newCookie(c, name)
	gone.MaxAge, gone.HttpOnly = -1, true
	c.SetCookie(gone)
}

// newCookie is what all have in common. Lax: a link from elsewhere finds its reader signed in; what changes anything is a
// POST, which a foreign site's browser sends without the cookie.
func newCookie(c echo.Context, name string) *http.Cookie {
	return &http.Cookie{Name: CookieName(c, name), Path: "/", SameSite: http.SameSiteLaxMode, Secure: isEncrypted(c)}
}

func isEncrypted(c echo.Context) bool { return c.Scheme() == "https" }
