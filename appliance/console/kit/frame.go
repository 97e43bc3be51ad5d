package kit

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/httpserver/realip"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/alert"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// Visitor is the signed-in user of a request, with the viewed organization and the display preferences.
type Visitor struct {
	User     account.User
	Session  account.UserSession
	Org      account.Organization // the viewed organization: the user's own, or one that a governor selected
	Lang     locale.Language
	Numerals locale.Numerals
	// NeedsSecondFactor says that the user's organization requires a second factor, which the user has not set up;
	// whom the identity provider signs in has that of the provider.
	NeedsSecondFactor bool

	needed account.UserRole // role that the route requires
}

// visitorKey is the echo context key of the Visitor.
const visitorKey = "console.visitor"

// RequestVisitor returns the Visitor of a request that passed requireRole.
func RequestVisitor(c echo.Context) Visitor {
	v, _ := c.Get(visitorKey).(Visitor)
	return v
}

// AuditActor returns the Visitor as the actor of an audit entry: "user:" and its id.
func (v Visitor) AuditActor() string { return "user:" + v.User.ID }

// RequestCaller returns the viewed organization, and the Visitor as the actor of the audit trail.
func RequestCaller(c echo.Context) service.Caller {
	v := RequestVisitor(c)
	return service.Caller{OrgID: v.Org.ID, Actor: v.AuditActor()}
}

// numerals returns the digits of the Visitor's pages; the preference applies only to Arabic pages.
func (v Visitor) numerals() locale.Numerals {
	if v.Lang == locale.Arabic && v.Numerals == locale.ArabicIndic {
		return locale.ArabicIndic
	}
	return locale.Latin
}

// ConsoleFrame returns the frame of a page in the section whose route is served.
func (s *Console) ConsoleFrame(c echo.Context, title string) layout.ConsolePage {
	v := RequestVisitor(c)
	rules, _ := s.RequestRules(c) // if they cannot be read, the page's handler fails
	board, _ := s.Store.FindAlerts(c.Request().Context(), v.Org.ID)
	return layout.ConsolePage{
		PageFrame: s.pageFrame(c, title),
		Alerts:    alertBanners(v, board, RulesZone(rules)),
		Waiting:   s.CountNeeds(c.Request().Context(), v.Org.ID),
		Stopped:   rules.KillSwitch, MayStop: v.User.Role.Allows(account.Operator),
		Section: requestSection(c), Sections: s.navigation(c), User: v.User.Name, Org: v.Org.Name,
		CSRF: maskToken(s.formToken(v)), Simulated: s.Simulated, Flash: TakeFlash(c), Numerals: v.numerals(),
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

// RenderPage answers with a page, in the digits that the visitor reads.
func RenderPage(c echo.Context, status int, page templ.Component) error {
	var html bytes.Buffer
	ctx := c.Request().Context()
	if missing := store.DamageReportOf(ctx); missing.IsUnnamed() {
		ctx = layout.MarkIncomplete(ctx, locale.ConsoleUnnamed)
	} else if !missing.IsEmpty() {
		ctx = layout.MarkIncomplete(ctx, locale.ConsoleIncomplete)
	}
	if err := page.Render(ctx, &html); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Language", string(preferences.PreferredLanguage(c)))
	h.Set("Cache-Control", "no-store")
	text := html.Bytes()
	if RequestVisitor(c).numerals() == locale.ArabicIndic {
		text = arabicDigits(text)
	}
	return sendCompressed(c, status, text)
}

// RedirectTo redirects the browser after a POST (303 See Other).
func RedirectTo(c echo.Context, path string) error { return c.Redirect(http.StatusSeeOther, path) }

// VisitorFrame returns the frame of a page before the sign-in.
func (s *Console) VisitorFrame(c echo.Context, title string) layout.ConsolePage {
	return layout.ConsolePage{PageFrame: s.pageFrame(c, title), Simulated: s.Simulated, Flash: TakeFlash(c)}
}

// alertBanners returns the open, unacknowledged alerts that a Visitor may see, newest first.
func alertBanners(v Visitor, board alert.AlertBoard, zone *time.Location) (all []layout.AlertBanner) {
	for _, a := range board.VisibleTo(v.User.IsGovernor()).Open {
		if a.AcknowledgedAt != nil {
			continue
		}
		said := locale.DescribeAlert(v.Lang, string(a.Kind), a.Subject, a.Facts)
		all = append([]layout.AlertBanner{{
			Title: said.Title, What: said.What, Do: said.Do, Href: said.Href, Since: a.RaisedAt, Zone: zone,
		}}, all...)
	}
	return all
}

// CountNeeds counts the calls that need staff.
func (s *Console) CountNeeds(ctx context.Context, orgID string) int {
	n, err := s.Store.CountCalls(ctx, orgID, NeedsFilter(), math.MaxInt32)
	if err != nil {
		return 0 // if they cannot be read, the page's handler fails
	}
	return n
}

// NeedsFilter is the store's filter of calls that need staff, longest wait first.
func NeedsFilter() store.CallFilter {
	return store.CallFilter{NeedsPerson: true, Sort: store.SortByMark, Ascending: true}
}

// FindAlerts finds an organization's alerts; none if they are damaged, as the page's notice says.
func (s *Console) FindAlerts(ctx context.Context, orgID string) (alert.AlertBoard, error) {
	board, err := s.Store.FindAlerts(ctx, orgID)
	if store.IsUnreadable(err) {
		return alert.AlertBoard{}, nil
	}
	return board, err
}

// AskQuestion shows a page that asks before something that cannot be undone.
func (s *Console) AskQuestion(c echo.Context, q component.AskQuestion) error {
	return RenderPage(c, http.StatusOK, layout.ConfirmPage(s.ConsoleFrame(c, q.Title), q))
}
