package console

import (
	"bytes"
	"net"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"munadi/appliance/choice"
	"munadi/appliance/peer"
	"munadi/store/org"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// visitor is who looks at a page, and how.
type visitor struct {
	User     org.User
	Session  org.Session
	Org      org.Organization // the one that is looked at: the user's own, or another that a governor chose
	Lang     text.Lang
	Numerals text.Numerals
	needed   org.Role // the least role that the route wants
}

// visitorKey is where the gate leaves the visitor in a request.
const visitorKey = "console.visitor"

// visiting is the visitor of a request that passed the gate.
func visiting(c echo.Context) visitor {
	v, _ := c.Get(visitorKey).(visitor)
	return v
}

// actor is how timelines and the audit trail name the visitor.
func (v visitor) actor() string { return "user:" + v.User.ID }

// reads are the digits of the visitor's pages: the choice is for those in Arabic.
func (v visitor) reads() text.Numerals {
	if v.Lang == text.Arabic && v.Numerals == text.ArabicIndic {
		return text.ArabicIndic
	}
	return text.Latin
}

// frame is the frame of a page in a section; path is the page's own address, for the switches.
func (s *Service) frame(c echo.Context, section shell.Section, title string) shell.ConsolePage {
	v := visiting(c)
	return shell.ConsolePage{
		Page:    s.page(c, title),
		Section: section, Sections: sections(v.User), User: v.User.Name, Org: v.Org.Name,
		CSRF: s.Gate.CSRF(v.Session), Simulated: s.Simulated, Flash: takeFlash(c), Numerals: v.reads(),
	}
}

// page is what all pages have, whoever looks.
func (s *Service) page(c echo.Context, title string) shell.Page {
	return shell.Page{
		Lang: choice.Language(c), Theme: choice.Theme(c), Title: title, Path: c.Request().URL.Path, Query: asked(c),
		Assets: s.Assets, Version: s.Version, Exposed: peer.Exposed(c.Request()),
	}
}

// asked is what the address of a page asks for, but for the choices that are remembered.
func asked(c echo.Context) string {
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

// show renders a page.
func show(c echo.Context, status int, page templ.Component) error {
	var html bytes.Buffer
	if err := page.Render(c.Request().Context(), &html); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Language", string(choice.Language(c)))
	h.Set("Cache-Control", "no-store")
	if visiting(c).reads() == text.ArabicIndic {
		return c.HTMLBlob(status, arabicDigits(html.Bytes()))
	}
	return c.HTMLBlob(status, html.Bytes())
}

// see sends the browser to where the effect of an act is seen (RFC 9110, 303).
func see(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }
