package kit

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/httpserver/preferences"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/component"
)

// The console's cookies: session, selected organization, device, sign-in between password and code.
const (
	SessionCookie = "munadi_session"
	OrgCookie     = "munadi_org" // the organization that a governor selected
	DeviceCookie  = "munadi_device"
	StepCookie    = "munadi_step"
	PasskeyCookie = "munadi_passkey" // a browser that signs in with a passkey
	CompanyCookie = "munadi_company" // a sign-in under way at the company's identity provider
)

// requireRole is the middleware that requires a session of a user with at least a role, and redirects others to the
// sign-in page. A POST must carry the session's CSRF token, in the field csrf or the header X-CSRF-Token. The request's
// context ends when the access is revoked, so that streams, exports and other long responses end.
func (s *Console) requireRole(needed account.UserRole) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			v, err := s.LoadVisitor(c)
			if store.CodeOf(err) == store.CodeNotFound {
				return s.redirectToSignIn(c)
			}
			if err != nil {
				return err
			}
			if !v.User.Role.Allows(needed) {
				c.Set(visitorKey, v)
				return echo.NewHTTPError(http.StatusForbidden, "your role does not allow this")
			}
			if isUnsafeMethod(c.Request().Method) {
				if c.Get(UploadKey) == nil { // the form is held in memory until the end of the request
					defer s.large.HoldBody(c.Request(), v.Org.ID)()
				}
				if err := s.checkForm(c, v); err != nil {
					c.Set(visitorKey, v)
					return err
				}
			}
			if v.User.PasswordUntil != nil && !v.Session.External && requestSection(c) != AccountSection {
				return refuseUntil(c, "change the temporary password", "/"+AccountSection)
			}
			if v.NeedsSecondFactor && requestSection(c) != AccountSection {
				return refuseUntil(c, "set up the second factor, which your organization requires,", SecondFactorPath)
			}
			v.needed = needed
			c.Set(visitorKey, v)
			whole := c.Request().Context()
			ctx, stop := auth.GuardAccess(whole, s.AccessCheck(c), auth.ErrRevoked)
			c.SetRequest(c.Request().WithContext(component.WithReader(ctx, v.Lang, s.Now())))
			defer func() { // the page of an error is rendered later
				stop()
				c.SetRequest(c.Request().WithContext(whole))
			}()
			return next(c)
		}
	}
}

// AccountSection is the id of the section of the own account, where a temporary password is changed and a second factor
// is set up.
const AccountSection = "account"

// SecondFactorPath is the path of the page where a second factor is set up.
const SecondFactorPath = "/account/second-factor"

// refuseUntil leads a user who must do something first to the page of it: whoever gave out a temporary password knows
// it, and without a required second factor the password alone opens nothing.
func refuseUntil(c echo.Context, deed, path string) error {
	if isUnsafeMethod(c.Request().Method) || isEventStream(c) {
		return echo.NewHTTPError(http.StatusForbidden, deed+" first, on "+Root+path)
	}
	return RedirectTo(c, Root+path)
}

// isUnsafeMethod reports whether a method may change something.
func isUnsafeMethod(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// checkForm parses the request's form, unless its handler reads it as a stream, and compares its CSRF token with the
// session's, in constant time. A page's token names its organization: a form that was opened before a governor selected
// another one, in another tab, must not change that one.
func (s *Console) checkForm(c echo.Context, v Visitor) error {
	if c.Get(UploadKey) == nil {
		if _, err := c.FormParams(); err != nil {
			return NewFormError(err)
		}
	}
	sent := c.Request().Header.Get("X-CSRF-Token")
	if sent == "" {
		sent = c.FormValue("csrf")
	}
	token, org, isNamed := strings.Cut(unmaskToken(sent), "@")
	isOwn := subtle.ConstantTimeCompare([]byte(token), []byte(s.Gate.CSRFToken(v.Session))) == 1
	if !isOwn || isNamed && org != url.QueryEscape(v.Org.ID) {
		return refuseOtherSession(c)
	}
	return nil
}

// redirectToSignIn redirects a browser to the sign-in page, and back afterwards; a POST gets 401, with a page that
// keeps what was typed.
func (s *Console) redirectToSignIn(c echo.Context) error {
	if isUnsafeMethod(c.Request().Method) {
		return refuseSignedOut(c)
	}
	preferences.PreferredLanguage(c) // saves ?lang= in its cookie for the sign-in page
	return RedirectTo(c, Root+"/sign-in?next="+url.QueryEscape(c.Request().URL.RequestURI()))
}

// LoadVisitor authenticates the session cookie.
func (s *Console) LoadVisitor(c echo.Context) (Visitor, error) {
	token := cookie.ReadCookie(c, SessionCookie)
	if token == "" {
		return Visitor{}, store.Errorf(store.CodeNotFound, "no session")
	}
	find := s.Gate.LookUpSession
	if isEventStream(c) { // an open page reconnects by itself; this must not extend the session
		find = s.Gate.PeekSession
	}
	session, user, err := find(c.Request().Context(), token)
	if err != nil {
		return Visitor{}, err
	}
	v := Visitor{
		User: user, Session: session,
		Lang: preferences.PreferredLanguage(c), Numerals: preferences.PreferredNumerals(c),
	}
	if v.Org, err = s.visitedOrganization(c, user); err != nil || user.SecondFactor != nil || session.External {
		return v, err
	}
	own := v.Org
	if own.ID != user.OrgID {
		own, err = s.findOrganization(c.Request().Context(), user.OrgID)
	}
	v.NeedsSecondFactor = own.NeedsSecondFactor
	return v, err
}

// isEventStream reports whether a request comes from an EventSource (SSE).
func isEventStream(c echo.Context) bool {
	return strings.HasPrefix(c.Request().Header.Get(echo.HeaderAccept), "text/event-stream")
}

// AccessCheck returns a function that reports whether the Visitor's access is still valid: session, user, role and
// organization.
func (s *Console) AccessCheck(c echo.Context) auth.AccessCheck {
	token, v := cookie.ReadCookie(c, SessionCookie), RequestVisitor(c)
	return func(ctx context.Context) (bool, error) {
		_, u, err := s.Gate.PeekSession(ctx, token)
		if store.CodeOf(err) == store.CodeNotFound {
			return false, nil
		}
		return err == nil && u.Role.Allows(v.needed) && (u.OrgID == v.Org.ID || u.IsGovernor()), err
	}
}

// visitedOrganization returns the organization that the user views.
func (s *Console) visitedOrganization(c echo.Context, u account.User) (account.Organization, error) {
	ctx := c.Request().Context()
	if chosen := cookie.ReadCookie(c, OrgCookie); chosen != "" && u.IsGovernor() {
		if o, err := s.findOrganization(ctx, chosen); err == nil {
			return o, nil
		}
	}
	return s.findOrganization(ctx, u.OrgID)
}

// findOrganization finds an organization; one whose record is damaged goes by its id.
func (s *Console) findOrganization(ctx context.Context, id string) (account.Organization, error) {
	o, err := s.Store.FindOrganization(ctx, id)
	if store.IsUnreadable(err) {
		return account.Organization{ID: id, Name: id}, nil
	}
	return o, err
}

// sameOrigin refuses cross-origin requests of browsers (CSRF protection).
func sameOrigin(p *http.CrossOriginProtection) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := p.Check(c.Request()); err != nil {
				return RefuseForm("another site sent this request: " + err.Error())
			}
			return next(c)
		}
	}
}

// RequireGovernor requires a user who governs the appliance; others get 404.
func RequireGovernor(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !RequestVisitor(c).User.IsGovernor() {
			return echo.ErrNotFound
		}
		return next(c)
	}
}
