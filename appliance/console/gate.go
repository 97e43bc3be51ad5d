package console

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/choice"
	"munadi/appliance/cookie"
	"munadi/store"
	"munadi/store/org"
)

// The cookies that the console reads.
const (
	sessionCookie = "munadi_session"
	orgCookie     = "munadi_org" // the organization that a governor looks at
	deviceCookie  = "munadi_device"
)

// signedIn lets users with at least a role in, and sends others to the sign-in page. A POST must carry the session's
// CSRF token, as the field csrf or the header X-CSRF-Token.
func (s *Service) signedIn(needed org.Role) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			v, err := s.visitor(c)
			if store.CodeOf(err) == store.CodeNotFound {
				return s.turnAway(c)
			}
			if err != nil {
				return err
			}
			if !v.User.Role.May(needed) {
				c.Set(visitorKey, v)
				return echo.NewHTTPError(http.StatusForbidden, "your role does not allow this")
			}
			if changes(c.Request().Method) && !s.genuine(c, v) {
				c.Set(visitorKey, v)
				return refuseForm("the form is out of date; load the page again")
			}
			v.needed = needed
			c.Set(visitorKey, v)
			return next(c)
		}
	}
}

// changes says whether a method may change something.
func changes(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// genuine compares the form's token with the session's.
func (s *Service) genuine(c echo.Context, v visitor) bool {
	sent := c.Request().Header.Get("X-CSRF-Token")
	if sent == "" {
		sent = c.FormValue("csrf")
	}
	return subtle.ConstantTimeCompare([]byte(sent), []byte(s.Gate.CSRF(v.Session))) == 1
}

// turnAway sends a browser to the sign-in page, and back afterwards; programs get 401.
func (s *Service) turnAway(c echo.Context) error {
	if changes(c.Request().Method) {
		return echo.NewHTTPError(http.StatusUnauthorized, "sign in first")
	}
	choice.Language(c) // what the address asks for is remembered, so that the sign-in page is in that language
	return see(c, Root+"/sign-in?next="+url.QueryEscape(c.Request().URL.RequestURI()))
}

// visitor is who the session cookie names.
func (s *Service) visitor(c echo.Context) (visitor, error) {
	token := cookie.Get(c, sessionCookie)
	if token == "" {
		return visitor{}, store.Errorf(store.CodeNotFound, "no session")
	}
	find := s.Gate.Session
	if streamsEvents(c) { // a page that is open connects by itself: nobody uses the session
		find = s.Gate.PeekSession
	}
	session, user, err := find(c.Request().Context(), token)
	if err != nil {
		return visitor{}, err
	}
	v := visitor{User: user, Session: session, Lang: choice.Language(c), Numerals: choice.Numerals(c)}
	v.Org, err = s.organization(c, user)
	return v, err
}

// streamsEvents says whether a request comes from a page's EventSource.
func streamsEvents(c echo.Context) bool {
	return strings.HasPrefix(c.Request().Header.Get(echo.HeaderAccept), "text/event-stream")
}

// access says whether what let the visitor in still holds: the session, the user, the role and the organization.
// Answers that last ask it again and again, by [auth.Guard].
func (s *Service) access(c echo.Context) auth.Alive {
	token, v := cookie.Get(c, sessionCookie), visiting(c)
	return func(ctx context.Context) (bool, error) {
		_, u, err := s.Gate.PeekSession(ctx, token)
		if store.CodeOf(err) == store.CodeNotFound {
			return false, nil
		}
		return err == nil && u.Role.May(v.needed) && (u.OrgID == v.Org.ID || u.Governs()), err
	}
}

// organization is the one that the user looks at.
func (s *Service) organization(c echo.Context, u org.User) (org.Organization, error) {
	ctx := c.Request().Context()
	if chosen := cookie.Get(c, orgCookie); chosen != "" && u.Governs() {
		if o, err := s.Store.Organization(ctx, chosen); err == nil {
			return o, nil
		}
	}
	return s.Store.Organization(ctx, u.OrgID)
}

// sameOrigin refuses what another site makes a browser send.
func sameOrigin(p *http.CrossOriginProtection) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if err := p.Check(c.Request()); err != nil {
				return refuseForm("another site sent this request: " + err.Error())
			}
			return next(c)
		}
	}
}
