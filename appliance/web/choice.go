package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/shell"
	"munadi/ui/text"
)

const (
	languageCookie = "munadi_lang"
	themeCookie    = "munadi_theme" // theme.js writes it too
	year           = 365 * 24 * 60 * 60
)

// language is the one that the query asks for, which is remembered, or the remembered one, or Arabic.
func language(c echo.Context) text.Lang {
	return choice(c, "lang", languageCookie, text.ParseLang, text.Arabic)
}

// theme is the appearance that the query asks for, which is remembered, or the remembered one, or the system's.
func theme(c echo.Context) shell.Theme {
	return choice(c, "theme", themeCookie, shell.ParseTheme, shell.Auto)
}

func choice[T ~string](c echo.Context, query, cookie string, parse func(string) (T, bool), otherwise T) T {
	if v, ok := parse(c.QueryParam(query)); ok {
		remember(c, cookie, string(v))
		return v
	}
	if kept, err := c.Cookie(cookie); err == nil {
		if v, ok := parse(kept.Value); ok {
			return v
		}
	}
	return otherwise
}

func remember(c echo.Context, name, value string) {
	c.SetCookie(&http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: year,
		SameSite: http.SameSiteLaxMode, Secure: c.Scheme() == "https",
	})
}
