package accounts

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/appliance/oidc"
	"munadi/ui/accounts"
)

// showConfirm asks the user to authenticate again (re-authentication), in any of the user's ways.
func (s handlers) showConfirm(c echo.Context) error { return s.confirmPage(c, http.StatusOK, "") }

func (s handlers) confirmPage(c echo.Context, status int, fault string) error {
	v := kit.RequestVisitor(c)
	next := kit.SafeNextPath(c.FormValue("next"))
	p := accounts.ConfirmView{
		ConsolePage: s.ConsoleFrame(c, accounts.ConfirmTitle.In(v.Lang)), HasPassword: s.Accounts.HasPassword(v.User),
		Next: next, Fault: fault, NeedsCode: v.User.SecondFactor != nil,
	}
	if p.Passkey = len(v.User.Passkeys) > 0 && s.offersPasskeys(c); p.Passkey {
		p.Module = "js/console-passkey.js"
	}
	if s.Company != nil && v.User.External != nil && !s.Accounts.IsOfDirectory(v.User) {
		p.Company = &accounts.CompanyButton{
			Name: s.Company.Name(), Away: !s.Company.IsReady(),
			Address: kit.Root + kit.ConfirmPath + "/company?next=" + url.QueryEscape(next),
		}
	}
	return kit.RenderPage(c, status, accounts.ConfirmPage(p))
}

// confirmWithPassword records that the user authenticated again with the password.
func (s handlers) confirmWithPassword(c echo.Context) error {
	v := kit.RequestVisitor(c)
	err := s.Accounts.ConfirmSession(c.Request().Context(), v.User, v.Session,
		c.FormValue("current"), kit.WesternDigits(c.FormValue("code")))
	if errors.Is(err, auth.ErrWrongCode) {
		return s.confirmPage(c, http.StatusUnprocessableEntity, accounts.FactorWrong.In(v.Lang))
	}
	if status, fault := s.DescribeUnconfirmed(c, err); fault != "" {
		return s.confirmPage(c, status, fault)
	}
	if err != nil {
		return err
	}
	return redirectConfirmed(c, c.FormValue("next"))
}

// redirectConfirmed leads back to what needed a confirmation.
func redirectConfirmed(c echo.Context, next string) error {
	return kit.RedirectSaying(c, kit.SafeNextPath(next), accounts.Confirmed.In(kit.RequestVisitor(c).Lang))
}

// beginCompanyConfirmation redirects to the identity provider, which asks the person to sign in again.
func (s handlers) beginCompanyConfirmation(c echo.Context) error {
	return s.redirectToProvider(c, oidc.Return{
		Next: kit.SafeNextPath(c.QueryParam("next")), Session: auth.SessionID(kit.RequestVisitor(c).Session),
	})
}

// endCompanyConfirmation receives a user back who authenticated again, in the session that asked for it; err is the
// provider's.
func (s handlers) endCompanyConfirmation(
	c echo.Context, who auth.ExternalIdentity, to oidc.Return, err error,
) error {
	v, missing := s.LoadVisitor(c)
	if missing != nil || auth.SessionID(v.Session) != to.Session {
		return s.showCompanyFailure(c, oidc.ErrFlow)
	}
	if err == nil {
		err = s.Accounts.ConfirmExternal(c.Request().Context(), v.User, v.Session, who)
	}
	if err == nil {
		return kit.RedirectSaying(c, kit.SafeNextPath(to.Next), accounts.Confirmed.In(v.Lang))
	}
	_, fault := describeCompanyFailure(err)
	if fault[0] == "" {
		return err
	}
	s.Log.Warn("an authentication at the identity provider failed", "user", v.User.ID, "err", err)
	back := kit.Root + kit.ConfirmPath + "?next=" + url.QueryEscape(kit.SafeNextPath(to.Next))
	return kit.RedirectProblem(c, back, fault.In(v.Lang))
}
