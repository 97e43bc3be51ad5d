package console

import (
	"bytes"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/httpserver/realip"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// visitor is the signed-in user of a request, with the viewed organization and the display preferences.
type visitor struct {
	User     account.User
	Session  account.UserSession
	Org      account.Organization // the viewed organization: the user's own, or one that a governor selected
	Lang     locale.Language
	Numerals locale.Numerals
	needed   account.UserRole // role that the route requires
}

// visitorKey is the echo context key of the visitor.
const visitorKey = "console.visitor"

// requestVisitor returns the visitor of a request that passed requireRole.
func requestVisitor(c echo.Context) visitor {
	v, _ := c.Get(visitorKey).(visitor)
	return v
}

// auditActor returns the visitor as the actor of an audit entry: "user:" and its id.
func (v visitor) auditActor() string { return "user:" + v.User.ID }

// requestCaller returns the viewed organization, and the visitor as the actor of the audit trail.
func requestCaller(c echo.Context) service.Caller {
	v := requestVisitor(c)
	return service.Caller{OrgID: v.Org.ID, Actor: v.auditActor()}
}

// numerals returns the digits of the visitor's pages; the preference applies only to Arabic pages.
func (v visitor) numerals() locale.Numerals {
	if v.Lang == locale.Arabic && v.Numerals == locale.ArabicIndic {
		return locale.ArabicIndic
	}
	return locale.Latin
}

// consoleFrame returns the frame of a page in the section whose route is served.
func (s *Console) consoleFrame(c echo.Context, title string) layout.ConsolePage {
	v := requestVisitor(c)
	rules, _ := s.requestRules(c) // if they cannot be read, the page's handler fails
	board, _ := s.Store.FindAlerts(c.Request().Context(), v.Org.ID)
	return layout.ConsolePage{
		PageFrame: s.pageFrame(c, title),
		Alerts:    alertBanners(v, board, rulesZone(rules)),
		Waiting:   s.countNeeds(c.Request().Context(), v.Org.ID),
		Stopped:   rules.KillSwitch, MayStop: v.User.Role.Allows(account.Operator),
		Section: requestSection(c), Sections: s.navigation(v.User), User: v.User.Name, Org: v.Org.Name,
		CSRF: maskToken(s.Gate.CSRFToken(v.Session)), Simulated: s.Simulated, Flash: takeFlash(c), Numerals: v.numerals(),
	}
}

// pageFrame returns the part of the frame that all pages have, with or without sign-in.
func (s *Console) pageFrame(c echo.Context, title string) layout.PageFrame {
	return layout.PageFrame{
		Lang: preferences.PreferredLanguage(c), Theme: preferences.PreferredTheme(c), Title: title,
		Path: c.Request().URL.Path, Query: requestQuery(c), Assets: s.Assets, Version: s.Version,
		Exposed: realip.IsExposed(c.Request()),
	}
}

// requestQuery returns the query string of a page without the preferences that are saved in cookies.
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

func renderPage(c echo.Context, status int, page templ.Component) error {
	var html bytes.Buffer
	ctx := c.Request().Context()
	if !store.DamageReportOf(ctx).IsEmpty() {
		ctx = layout.MarkIncomplete(ctx)
	}
	if err := page.Render(ctx, &html); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Language", string(preferences.PreferredLanguage(c)))
	h.Set("Cache-Control", "no-store")
	text := html.Bytes()
	if requestVisitor(c).numerals() == locale.ArabicIndic {
		text = arabicDigits(text)
	}
	return sendCompressed(c, status, text)
}

// redirectTo redirects the browser after a POST (303 See Other).
func redirectTo(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }
