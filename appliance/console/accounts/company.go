package accounts

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/oidc"
	"munadi/store"
	"munadi/ui/accounts"
	"munadi/ui/locale"
)

// CompanyPath is the path where a person begins to sign in with the company's identity provider.
const CompanyPath = "/sign-in/company"

// CompanyProvider is the company's identity provider; *oidc.Provider is one.
type CompanyProvider interface {
	Name() string
	IsReady() bool
	BeginSignIn(ctx context.Context, to oidc.Return) (address, cookie string, err error)
	EndSignIn(ctx context.Context, cookie string, back url.Values) (auth.ExternalIdentity, oidc.Return, error)
	VerifyLogout(ctx context.Context, raw string) (auth.ExternalLogout, error)
}

// requireProvider hides the routes of an identity provider that is not set.
func (s handlers) requireProvider(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Company == nil {
			return echo.ErrNotFound
		}
		return next(c)
	}
}

// beginCompanySignIn redirects to the identity provider.
func (s handlers) beginCompanySignIn(c echo.Context) error {
	return s.redirectToProvider(c, oidc.Return{Next: kit.SafeNextPath(c.QueryParam("next"))})
}

func (s handlers) redirectToProvider(c echo.Context, to oidc.Return) error {
	address, flow, err := s.Company.BeginSignIn(c.Request().Context(), to)
	if err != nil {
		return s.showCompanyFailure(c, err)
	}
	cookie.SetCookie(c, kit.CompanyCookie, flow, oidc.FlowFor)
	return kit.RedirectTo(c, address)
}

// endCompanySignIn receives the person back from the identity provider.
func (s handlers) endCompanySignIn(c echo.Context) error {
	ctx := c.Request().Context()
	who, to, err := s.Company.EndSignIn(ctx, cookie.ReadCookie(c, kit.CompanyCookie), c.QueryParams())
	cookie.ClearCookie(c, kit.CompanyCookie)
	if errors.Is(err, oidc.ErrNoRole) { // a role that was taken away ends the sessions that it opened
		gone := auth.ExternalLogout{Issuer: who.Issuer, Subject: who.Subject}
		err = errors.Join(err, s.Accounts.EndExternal(ctx, gone))
	}
	if to.Session != "" {
		return s.endCompanyConfirmation(c, who, to, err)
	}
	if err != nil {
		return s.showCompanyFailure(c, err)
	}
	token, u, err := s.Accounts.SignInExternal(ctx, who, signInOrigin(c))
	if err != nil {
		return s.showCompanyFailure(c, err)
	}
	return s.enterConsole(c, token, u, to.Next)
}

// showCompanyFailure shows the sign-in form with the reason; the log has the details, without tokens.
func (s handlers) showCompanyFailure(c echo.Context, err error) error {
	status, fault := describeCompanyFailure(err)
	if status == 0 {
		return err
	}
	s.Log.Warn("a sign-in with the identity provider failed", "err", err)
	l := preferences.PreferredLanguage(c)
	return s.signInPage(c, status, accounts.SignIn{Fault: fault.In(l), Next: c.QueryParam("next")})
}

// describeCompanyFailure returns the status and sentence for an error; 0 for one of another kind.
func describeCompanyFailure(err error) (int, locale.Text) {
	switch {
	case errors.Is(err, oidc.ErrUnavailable):
		return http.StatusServiceUnavailable, accounts.CompanyAway
	case errors.Is(err, auth.ErrDirectoryAway):
		return http.StatusServiceUnavailable, accounts.DirectoryAway
	case errors.Is(err, oidc.ErrFlow):
		return http.StatusBadRequest, accounts.CompanyExpired
	case errors.Is(err, auth.ErrOtherPerson):
		return http.StatusForbidden, accounts.ConfirmOtherPerson
	case errors.Is(err, oidc.ErrDeclined), errors.Is(err, oidc.ErrToken):
		return http.StatusUnauthorized, accounts.CompanyRefused
	case errors.Is(err, oidc.ErrNoRole), errors.Is(err, auth.ErrNoAccount):
		return http.StatusForbidden, accounts.CompanyNoRole
	case errors.Is(err, auth.ErrNameTaken), errors.Is(err, auth.ErrOtherOrganization):
		return http.StatusForbidden, accounts.CompanyTaken
	case errors.Is(err, auth.ErrWrong):
		return http.StatusUnauthorized, accounts.CompanyExpired
	case store.CodeOf(err) == store.CodeConflict:
		return http.StatusForbidden, accounts.LastOwner
	}
	return 0, locale.Text{}
}

// endCompanySessions ends the sessions that the identity provider's logout token names (Back-Channel Logout 1.0, 2.8).
func (s handlers) endCompanySessions(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	ctx := c.Request().Context()
	logout, err := s.Company.VerifyLogout(ctx, c.FormValue("logout_token"))
	if err != nil {
		return s.refuseLogout(c, err)
	}
	err = s.Accounts.EndByLogoutToken(ctx, logout)
	if store.CodeOf(err) == store.CodeConflict {
		return s.refuseLogout(c, err)
	}
	if err != nil {
		return err
	}
	return c.NoContent(http.StatusOK)
}

// refuseLogout answers a logout token that is not valid, or was used before.
func (s handlers) refuseLogout(c echo.Context, err error) error {
	s.Log.Warn("a sign-out by the identity provider was refused", "err", err)
	status := http.StatusBadRequest
	if errors.Is(err, oidc.ErrUnavailable) {
		status = http.StatusServiceUnavailable
	}
	return c.JSON(status, map[string]string{
		"error": "invalid_request", "error_description": "the logout token is not valid",
	})
}
