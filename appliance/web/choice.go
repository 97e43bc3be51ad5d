package web

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/cookie"
	"munadi/ui/shell"
	"munadi/ui/text"
)

const (
	languageCookie = "munadi_lang"
	themeCookie    = "munadi_theme" // theme.js writes it too
)

// language is the one that the query asks for, which is remembered, or the remembered one, or Arabic.
func language(c echo.Context) text.Lang {
	return choice(c, "lang", languageCookie, text.ParseLang, text.Arabic)
}

// theme is the appearance that the query asks for, which is remembered, or the remembered one, or the system's.
func theme(c echo.Context) shell.Theme {
	return choice(c, "theme", themeCookie, shell.ParseTheme, shell.Auto)
}

func choice[T ~string](c echo.Context, query, name string, parse func(string) (T, bool), otherwise T) T {
	if v, ok := parse(c.QueryParam(query)); ok {
		cookie.Remember(c, name, string(v))
		return v
	}
	if v, ok := parse(cookie.Get(c, name)); ok {
		return v
	}
	return otherwise
}
