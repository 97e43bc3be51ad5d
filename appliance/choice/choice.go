// Package choice reads how a visitor wants pages: the language, the appearance and the digits that the address asks
// for, which are remembered, or the remembered ones.
package choice

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/cookie"
	"munadi/ui/shell"
	"munadi/ui/text"
)

const (
	languageCookie = "munadi_lang"
	themeCookie    = "munadi_theme" // theme.js writes it too
	digitsCookie   = "munadi_digits"
)

// Language is that of ?lang, or of an earlier one, or Arabic.
func Language(c echo.Context) text.Lang {
	return of(c, "lang", languageCookie, text.ParseLang, text.Arabic)
}

// Theme is that of ?theme, or of an earlier one, or the system's.
func Theme(c echo.Context) shell.Theme {
	return of(c, "theme", themeCookie, shell.ParseTheme, shell.Auto)
}

// Numerals are those of ?digits, or of an earlier one, or Latin.
func Numerals(c echo.Context) text.Numerals {
	return of(c, "digits", digitsCookie, text.ParseNumerals, text.Latin)
}

// of is found out once a request: a page asks more than once, and what is new is to be remembered once.
func of[T ~string](c echo.Context, query, name string, parse func(string) (T, bool), otherwise T) T {
	chosen, known := c.Get(name).(T)
	if !known {
		chosen = find(c, query, name, parse, otherwise)
		c.Set(name, chosen)
	}
	return chosen
}

func find[T ~string](c echo.Context, query, name string, parse func(string) (T, bool), otherwise T) T {
	if v, ok := parse(c.QueryParam(query)); ok {
		cookie.Remember(c, name, string(v))
		return v
	}
	if v, ok := parse(cookie.Get(c, name)); ok {
		return v
	}
	return otherwise
}
