package console

import (
	"bytes"
	"net"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/httpserver/realip"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// visitor is who looks at a page, and how.
type visitor struct {
	User     account.User
	Session  account.UserSession
	Org      account.Organization // the one that is looked at: the user's own, or another that a governor chose
	Lang     locale.Language
	Numerals locale.Numerals
	needed   account.UserRole // the least role that the route wants
}

// visitorKey is where the gate leaves the visitor in a request.
const visitorKey = "console.visitor"

// requestVisitor is the visitor of a request that passed the gate.
func requestVisitor(c echo.Context) visitor {
	v, _ := c.Get(visitorKey).(visitor)
	return v
}

// auditActor is how timelines and the audit trail name the visitor.
func (v visitor) auditActor() string { return "user:" + v.User.ID }

// numerals are the digits of the visitor's pages: the choice is for those in Arabic.
func (v visitor) numerals() locale.Numerals {
	if v.Lang == locale.Arabic && v.Numerals == locale.ArabicIndic {
		return locale.ArabicIndic
	}
	return locale.Latin
}

// consoleFrame is the frame of a page in a section; path is the page's own address, for the switches.
func (s *ConsoleService) consoleFrame(c echo.Context, section layout.ConsoleSection, title string) layout.ConsolePage {
	v := requestVisitor(c)
	return layout.ConsolePage{
		PageFrame: s.pageFrame(c, title),
		Section:   section, Sections: navigationSections(v.User), User: v.User.Name, Org: v.Org.Name,
		CSRF: s.Gate.CSRFToken(v.Session), Simulated: s.Simulated, Flash: takeFlash(c), Numerals: v.numerals(),
	}
}

// pageFrame is what all pages have, whoever looks.
func (s *ConsoleService) pageFrame(c echo.Context, title string) layout.PageFrame {
	return layout.PageFrame{
		Lang: preferences.PreferredLanguage(c), Theme: preferences.PreferredTheme(c), Title: title, Path: c.Request().URL.Path, Query: requestQuery(c),
		Assets: s.Assets, Version: s.Version, Exposed: realip.IsExposed(c.Request()),
	}
}

// requestQuery is what the address of a page asks for, but for the choices that are remembered.
func requestQuery(c echo.Context) string {
	if c.Request().Method != http.MethodGet {
		return ""
	}
	query := c.Request().URL.Query()
	for _, chosen := range []string{"lang", "theme", "digits"} {
		query.Del(chosen)
	}
	return query.Encode()
}

// hostOf is the host of "host:port"; empty for anything else.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return ""
	}
	return host
}

// renderPage renders a page.
func renderPage(c echo.Context, status int, page templ.Component) error {
	var html bytes.Buffer
	if err := page.Render(c.Request().Context(), &html); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Language", string(preferences.PreferredLanguage(c)))
	h.Set("Cache-Control", "no-store")
	if requestVisitor(c).numerals() == locale.ArabicIndic {
		return c.HTMLBlob(status, arabicDigits(html.Bytes()))
	}
	return c.HTMLBlob(status, html.Bytes())
}

// redirectTo sends the browser to where the effect of an act is seen (RFC 9110, 303).
func redirectTo(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }
