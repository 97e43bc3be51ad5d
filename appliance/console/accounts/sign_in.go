package accounts

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/httpserver/preferences"
	"munadi/store/account"
	"munadi/ui/accounts"
)

// sessionCookieAge is the Max-Age of the session cookie; an unused session expires earlier.
const sessionCookieAge = 30 * 24 * time.Hour

// showSignIn shows the sign-in form; a user who is signed in is redirected.
func (s handlers) showSignIn(c echo.Context) error {
	if _, err := s.LoadVisitor(c); err == nil {
		return kit.RedirectTo(c, kit.SafeNextPath(c.QueryParam("next")))
	}
	return s.signInPage(c, http.StatusOK, accounts.SignIn{Next: c.QueryParam("next")})
}

// signIn starts a session, always with a new token, so that a token that was planted in the browser is useless (session
// fixation).
func (s handlers) signIn(c echo.Context) error {
	name := strings.TrimSpace(c.FormValue("name"))
	token, u, err := s.Accounts.SignIn(c.Request().Context(), name, c.FormValue("password"), signInOrigin(c))
	if needed, ok := errors.AsType[*auth.CodeNeededError](err); ok {
		cookie.SetCookie(c, kit.StepCookie, needed.Step, auth.CodeFor)
		return kit.RedirectTo(c, kit.Root+"/sign-in/code?next="+url.QueryEscape(kit.SafeNextPath(c.FormValue("next"))))
	}
	if err != nil {
		return s.showSignInFailure(c, name, err)
	}
	return s.enterConsole(c, token, u, c.FormValue("next"))
}

// enterConsole begins to use a session in the browser, whose earlier one ends.
func (s handlers) enterConsole(c echo.Context, token string, u account.User, next string) error {
	s.endBrowserSession(c)
	s.setSession(c, token, u)
	return kit.RedirectTo(c, kit.SafeNextPath(next))
}

// showSignInFailure shows the form again, with the reason.
func (s handlers) showSignInFailure(c echo.Context, name string, err error) error {
	l := preferences.PreferredLanguage(c)
	p := accounts.SignIn{Next: c.FormValue("next"), Name: name}
	var locked *auth.LockedError
	switch {
	case errors.Is(err, auth.ErrWrong):
		p.Fault = accounts.SignInWrong.In(l)
		return s.signInPage(c, http.StatusUnauthorized, p)
	case errors.Is(err, auth.ErrOutlived):
		p.Fault = accounts.SignInOutlived.In(l)
		return s.signInPage(c, http.StatusUnauthorized, p)
	case errors.Is(err, auth.ErrPasswordsOff):
		p.Fault = accounts.CompanyOnly.In(l)
		return s.signInPage(c, http.StatusForbidden, p)
	case errors.As(err, &locked):
		p.Fault = s.DescribeLockout(c, locked)
		return s.signInPage(c, http.StatusTooManyRequests, p)
	case errors.Is(err, auth.ErrDirectoryAway):
		s.Log.Warn("a sign-in with the company's directory failed", "err", err)
		p.Fault = accounts.SignInAway.In(l)
		return s.signInPage(c, http.StatusServiceUnavailable, p)
	case errors.Is(err, auth.ErrBusy):
		p.Fault = accounts.SignInBusy.In(l)
		c.Response().Header().Set(echo.HeaderRetryAfter, "2")
		return s.signInPage(c, http.StatusServiceUnavailable, p)
	}
	status, fault := describeCompanyFailure(err)
	if status == 0 {
		return err
	}
	s.Log.Warn("a sign-in with the company's directory failed", "err", err)
	p.Fault = fault.In(l)
	return s.signInPage(c, status, p)
}

func (s handlers) signInPage(c echo.Context, status int, p accounts.SignIn) error {
	p.ConsolePage = s.VisitorFrame(c, accounts.SignInTitle.In(preferences.PreferredLanguage(c)))
	p.Path, p.Query = kit.Root+"/sign-in", "" // the switch of languages must not repeat the return of a failed sign-in
	if p.Next != "" {
		p.Query = url.Values{"next": {p.Next}}.Encode()
	}
	p.Local, p.Directory = s.RootCertificate() != nil, s.Accounts.HasDirectory()
	if p.Passkey = s.offersPasskeys(c); p.Passkey {
		p.Module = "js/console-passkey.js"
	}
	if s.Company != nil {
		next := url.QueryEscape(kit.SafeNextPath(p.Next))
		p.Company = &accounts.CompanyButton{
			Name: s.Company.Name(), Address: kit.Root + CompanyPath + "?next=" + next, Away: !s.Company.IsReady(),
		}
	}
	p.NotSetUp, _ = s.Accounts.NeedsSetUp(c.Request().Context()) // a store that cannot be read is the form's fault
	return kit.RenderPage(c, status, accounts.SignInPage(p))
}

// signOut ends the session and clears its cookies, with a governor's selected organization.
func (s handlers) signOut(c echo.Context) error {
	if err := s.AddAudit(c, "user.sign_out", kit.RequestVisitor(c).User.Name, ""); err != nil {
		return err
	}
	s.endBrowserSession(c)
	for _, name := range []string{kit.SessionCookie, kit.OrgCookie} {
		cookie.ClearCookie(c, name)
	}
	c.Response().Header().Set("Clear-Site-Data", `"storage"`) // also removes an API key that the demo page has stored
	return kit.RedirectSaying(c, kit.Root+"/sign-in", accounts.SignInSignedOut.In(preferences.PreferredLanguage(c)))
}

// endBrowserSession ends the session of the browser's session cookie, if any.
func (s handlers) endBrowserSession(c echo.Context) {
	token := cookie.ReadCookie(c, kit.SessionCookie)
	if token == "" {
		return
	}
	if err := s.Accounts.SignOut(c.Request().Context(), token); err != nil {
		s.Log.Warn("a session could not be ended", "err", err)
	}
}

// setSession sets the session cookie, and the device cookie for later sign-ins of the same user.
func (s handlers) setSession(c echo.Context, token string, u account.User) {
	cookie.ClearCookie(c, kit.StepCookie)
	cookie.SetCookie(c, kit.SessionCookie, token, sessionCookieAge)
	cookie.SetCookie(c, kit.DeviceCookie, s.Accounts.DeviceToken(u), auth.DeviceFor)
}

// signInOrigin returns the client of a sign-in; realip has set RemoteAddr to the real address behind trusted proxies.
func signInOrigin(c echo.Context) auth.SignInOrigin {
	address := c.Request().RemoteAddr
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		address = host
	}
	device := cookie.ReadCookie(c, kit.DeviceCookie)
	return auth.SignInOrigin{Address: address, Agent: c.Request().UserAgent(), Device: device}
}

// maxPublicBody is the body size limit of requests without sign-in, in bytes.
const maxPublicBody = 64 << 10

// limitPublicForm refuses larger bodies.
func limitPublicForm(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxPublicBody)
		if err := r.ParseForm(); err != nil {
			return kit.NewFormError(err)
		}
		return next(c)
	}
}
