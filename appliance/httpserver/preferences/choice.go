// Package preferences reads a visitor's display preferences, language, colour theme and digits: from the query
// string, which is then remembered in a cookie, else from that cookie.
package preferences

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/cookie"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

const (
	languageCookie = "munadi_lang"
	themeCookie    = "munadi_theme" // theme.js writes this cookie too
	digitsCookie   = "munadi_digits"
)

// PreferredLanguage returns the language of ?lang, else of the cookie, else Arabic.
func PreferredLanguage(c echo.Context) locale.Language {
	return cachedPreference(c, "lang", languageCookie, locale.ParseLang, locale.Arabic)
}

// PreferredTheme returns the colour theme of ?theme, else of the cookie, else the system's.
func PreferredTheme(c echo.Context) layout.ColorTheme {
	return cachedPreference(c, "theme", themeCookie, layout.ParseTheme, layout.Auto)
}

// PreferredNumerals returns the digits of ?digits, else of the cookie, else Latin.
func PreferredNumerals(c echo.Context) locale.Numerals {
	return cachedPreference(c, "digits", digitsCookie, locale.ParseNumerals, locale.Latin)
}

// cachedPreference reads a preference once per request and caches it in the request's context: a page asks several
// times, and a new one must set its cookie only once.
func cachedPreference[T ~string](c echo.Context, query, name string, parse func(string) (T, bool), otherwise T) T {
	chosen, known := c.Get(name).(T)
	if !known {
		chosen = readPreference(c, query, name, parse, otherwise)
		c.Set(name, chosen)
	}
	return chosen
}

func readPreference[T ~string](c echo.Context, query, name string, parse func(string) (T, bool), otherwise T) T {
	if v, ok := parse(c.QueryParam(query)); ok {
		cookie.SetPreference(c, name, string(v))
		return v
	}
	if v, ok := parse(cookie.ReadCookie(c, name)); ok {
		return v
	}
	return otherwise
}
