// Package cookie sets and reads the appliance's session and preference cookies with the same attributes everywhere:
// Path=/, SameSite=Lax, Secure over TLS. Over an encrypted connection their names carry the prefix __Host-, so that a
// browser accepts them from this host only, over TLS only, for all of its paths (RFC 6265bis, 4.1.3); over plain HTTP
// that prefix is not possible. A cookie set over one kind of connection is therefore not read over the other.
package cookie

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// prefix is the __Host- cookie prefix, which binds a cookie to this host and to TLS.
const prefix = "__Host-"

// cookieName returns the name that a cookie has on this connection: with the __Host- prefix over TLS, bare otherwise.
func cookieName(c echo.Context, name string) string {
	if isEncrypted(c) {
		return prefix + name
	}
	return name
}

// ReadCookie returns a cookie's value, empty if the request carries no such cookie.
func ReadCookie(c echo.Context, name string) string {
	kept, err := c.Cookie(cookieName(c, name))
	if err != nil {
		return ""
	}
	return kept.Value
}

// SetCookie sets an HttpOnly cookie with Max-Age keep; with keep 0 it is a session cookie, which the browser drops
// when it closes.
func SetCookie(c echo.Context, name, value string, keep time.Duration) {
	made := newCookie(c, name)
	made.Value, made.MaxAge, made.HttpOnly = value, int(keep.Seconds()), true
	c.SetCookie(made)
}

// SetPreference sets a preference cookie for one year. It is not HttpOnly: the page's own scripts may change it.
func SetPreference(c echo.Context, name, value string) {
	const year = 365 * 24 * 60 * 60
	made := newCookie(c, name)
	made.Value, made.MaxAge = value, year
	c.SetCookie(made)
}

// ClearCookie deletes a cookie in the browser (Max-Age below 0).
func ClearCookie(c echo.Context, name string) {
	gone := newCookie(c, name)
	gone.MaxAge, gone.HttpOnly = -1, true
	c.SetCookie(gone)
}

// newCookie returns a cookie with the attributes that all have in common. SameSite=Lax is part of the CSRF
// protection: a link from another site finds the reader signed in, but a POST, which every change is, is sent by a
// foreign site's page without the cookie.
func newCookie(c echo.Context, name string) *http.Cookie {
	return &http.Cookie{Name: cookieName(c, name), Path: "/", SameSite: http.SameSiteLaxMode, Secure: isEncrypted(c)}
}

func isEncrypted(c echo.Context) bool { return c.Scheme() == "https" }
