// Package preferences reads how a visitor wants pages: the language, the appearance and the digits that the address asks
// for, which are remembered, or the remembered ones.
package preferences

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/cookie"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

const (
	languageCookie = "munadi_lang"
	themeCookie    = "munadi_theme" // theme.js writes it too
	digitsCookie   = "munadi_digits"
)

// PreferredLanguage is that of ?lang, or of an earlier one, or Arabic.
func PreferredLanguage(c echo.Context) locale.Language {
	return cachedPreference(c, "lang", languageCookie, locale.ParseLang, locale.Arabic)
}

// PreferredTheme is that of ?theme, or of an earlier one, or the system's.
func PreferredTheme(c echo.Context) layout.ColorTheme {
	return cachedPreference(c, "theme", themeCookie, layout.ParseTheme, layout.Auto)
}

// PreferredNumerals are those of ?digits, or of an earlier one, or Latin.
func PreferredNumerals(c echo.Context) locale.Numerals {
	return cachedPreference(c, "digits", digitsCookie, locale.ParseNumerals, locale.Latin)
}

// cachedPreference is found out once a request: a page asks more than once, and what is new is to be remembered once.
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
