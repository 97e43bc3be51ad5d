package accounts

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/httpserver/preferences"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/component"
	"munadi/ui/form"
)

// showSecondFactor shows the user's second factor, or a new secret to set one up.
func (s handlers) showSecondFactor(c echo.Context) error {
	return s.secondFactorPage(c, http.StatusOK, "", nil)
}

// secondFactorPage shows the page with the violations of its form; offer is the secret of a form that was sent, empty
// for a new one.
func (s handlers) secondFactorPage(c echo.Context, status int, offer string, found []form.Violation) error {
	v := kit.RequestVisitor(c)
	p := accounts.SecondFactorView{
		ConsolePage: s.ConsoleFrame(c, accounts.FactorTitle.In(v.Lang)), Zone: s.OrganizationZone(c),
		Needed: v.NeedsSecondFactor,
		Codes:  s.FlashSecrets.TakeSecret(v.Session, kit.RecoverySecret),
		Form:   accounts.BindCodeForm(form.NewBinder(v.Lang, nil, found), &accounts.CodeForm{}),
	}
	if v.User.SecondFactor.HasApp() {
		p.Factor = v.User.SecondFactor
	} else {
		made, err := s.Accounts.ReopenOffer(v.User, offer)
		if errors.Is(err, auth.ErrOfferExpired) {
			made, err = s.Accounts.OfferSecondFactor(v.User)
		}
		if err != nil {
			return err
		}
		p.Offer = accounts.FactorOffer{Secret: groupSecret(made.Secret), URI: made.URI, Sealed: made.Sealed}
	}
	return kit.RenderPage(c, status, accounts.SecondFactorPage(p))
}

// groupSecret writes a secret in groups of four characters; apps ignore the spaces.
func groupSecret(secret string) string {
	var groups []string
	for group := range slices.Chunk([]byte(secret), 4) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, " ")
}

// confirmSecondFactor sets up the second factor and shows its recovery codes once.
func (s handlers) confirmSecondFactor(c echo.Context) error {
	v, offer := kit.RequestVisitor(c), c.FormValue("offer")
	codes, err := s.Accounts.ConfirmSecondFactor(c.Request().Context(), v.User, v.Session, offer,
		c.FormValue("current"), kit.WesternDigits(c.FormValue("code")))
	if errors.Is(err, auth.ErrOfferExpired) {
		found := []form.Violation{{Path: "code", Message: accounts.FactorExpired.In(v.Lang)}}
		return s.secondFactorPage(c, http.StatusUnprocessableEntity, "", found)
	}
	if err == nil {
		kit.FlashMessage(c, accounts.FactorDone.In(v.Lang))
	}
	return s.showRecoveryCodes(c, offer, codes, err)
}

// renewRecoveryCodes replaces the recovery codes.
func (s handlers) renewRecoveryCodes(c echo.Context) error {
	v := kit.RequestVisitor(c)
	codes, err := s.Accounts.RenewRecoveryCodes(c.Request().Context(), v.User, v.Session,
		c.FormValue("current"), kit.WesternDigits(c.FormValue("code")))
	return s.showRecoveryCodes(c, "", codes, err)
}

// showRecoveryCodes redirects to the page that shows new recovery codes once, or shows the form again.
func (s handlers) showRecoveryCodes(c echo.Context, offer string, codes []string, err error) error {
	if err != nil {
		return s.refuseFactorForm(c, offer, err)
	}
	s.FlashSecrets.PutSecret(kit.RequestVisitor(c).Session, kit.RecoverySecret, strings.Join(codes, "\n"))
	return kit.RedirectTo(c, kit.Root+kit.SecondFactorPath)
}

// removeOwnFactor removes the user's second factor.
func (s handlers) removeOwnFactor(c echo.Context) error {
	v := kit.RequestVisitor(c)
	needed, err := s.needsSecondFactor(c)
	if err == nil {
		err = s.Accounts.RemoveOwnFactor(c.Request().Context(), v.User, v.Session,
			c.FormValue("current"), kit.WesternDigits(c.FormValue("code")), needed)
	}
	if err != nil {
		return s.refuseFactorForm(c, "", err)
	}
	return kit.RedirectSaying(c, kit.Root+"/account", accounts.FactorGone.In(v.Lang))
}

// refuseFactorForm shows the page again with what is wrong with password or code.
func (s handlers) refuseFactorForm(c echo.Context, offer string, err error) error {
	l := kit.RequestVisitor(c).Lang
	refuse := func(status int, field, fault string) error {
		return s.secondFactorPage(c, status, offer, []form.Violation{{Path: field, Message: fault}})
	}
	if errors.Is(err, auth.ErrWrongCode) {
		return refuse(http.StatusUnprocessableEntity, "code", accounts.FactorWrong.In(l))
	}
	if errors.Is(err, auth.ErrFactorNeeded) {
		return refuse(http.StatusUnprocessableEntity, "code", accounts.FactorLast.In(l))
	}
	if errors.Is(err, auth.ErrHasSecondFactor) { // set up in another window meanwhile
		return kit.RedirectTo(c, kit.Root+kit.SecondFactorPath)
	}
	if status, fault := s.DescribeUnconfirmed(c, err); fault != "" {
		return refuse(status, "current", fault)
	}
	return err
}

// showSignInCode asks for the code of a sign-in whose password was right.
func (s handlers) showSignInCode(c echo.Context) error {
	if _, err := s.requestStep(c); err != nil {
		return s.showCodeFailure(c, err)
	}
	return s.signInCodePage(c, http.StatusOK, nil)
}

// requestStep returns the user whose password began the sign-in of this browser.
func (s handlers) requestStep(c echo.Context) (account.User, error) {
	return s.Accounts.CheckStep(c.Request().Context(), cookie.ReadCookie(c, kit.StepCookie))
}

// signInWithCode ends the sign-in, with a new session.
func (s handlers) signInWithCode(c echo.Context) error {
	code := kit.WesternDigits(c.FormValue("code"))
	step := cookie.ReadCookie(c, kit.StepCookie)
	token, u, err := s.Accounts.SignInWithCode(c.Request().Context(), step, code, signInOrigin(c))
	if err != nil {
		return s.showCodeFailure(c, err)
	}
	return s.enterConsole(c, token, u, c.FormValue("next"))
}

// showCodeFailure shows the form again with the reason, or begins the sign-in anew.
func (s handlers) showCodeFailure(c echo.Context, err error) error {
	l := preferences.PreferredLanguage(c)
	refuse := func(status int, fault string) error {
		return s.signInCodePage(c, status, []form.Violation{{Path: "code", Message: fault}})
	}
	var locked *auth.LockedError
	switch {
	case errors.Is(err, auth.ErrWrongCode):
		return refuse(http.StatusUnauthorized, accounts.FactorWrong.In(l))
	case errors.As(err, &locked):
		return refuse(http.StatusTooManyRequests, s.DescribeLockout(c, locked))
	case errors.Is(err, auth.ErrStepExpired), errors.Is(err, auth.ErrWrong):
		back := kit.Root + "/sign-in?next=" + url.QueryEscape(kit.SafeNextPath(c.FormValue("next")))
		return kit.RedirectProblem(c, back, accounts.SignInCodeExpired.In(l))
	}
	return err
}

func (s handlers) signInCodePage(c echo.Context, status int, found []form.Violation) error {
	l := preferences.PreferredLanguage(c)
	p := accounts.SignInCode{
		ConsolePage: s.VisitorFrame(c, accounts.SignInCodeTitle.In(l)), Next: c.FormValue("next"),
		Form: accounts.BindSignInCode(form.NewBinder(l, nil, found)),
	}
	u, _ := s.requestStep(c) // of nobody without a step, which the form says
	if p.Passkey = len(u.Passkeys) > 0 && s.offersPasskeys(c); p.Passkey {
		p.Module = "js/console-passkey.js"
	}
	p.App = u.SecondFactor.HasApp()
	return kit.RenderPage(c, status, accounts.SignInCodePage(p))
}

// askResetFactor asks for confirmation before a user's second factor is removed.
func (s handlers) askResetFactor(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	return s.askAboutUser(c, "/second-factor", component.AskQuestion{
		Title: accounts.FactorResetAsk.In(l), Text: accounts.FactorResetWhat.In(l),
		Do: accounts.FactorReset.In(l), Danger: true,
	})
}

// resetFactor removes another user's second factor and ends the user's sessions.
func (s handlers) resetFactor(c echo.Context) error {
	u, err := s.requestUser(c)
	if err == nil {
		err = s.Accounts.RemoveFactorOf(c.Request().Context(), kit.RequestVisitor(c).User, u)
	}
	return redirectToUsers(c, err)
}

// requireSecondFactor sets whether the organization's users must have a second factor.
func (s handlers) requireSecondFactor(c echo.Context) error {
	typed := accounts.NeededForm{}
	accounts.BindNeeded(kit.BindSent(c), &typed)
	return redirectToUsers(c, s.UseCases.RequireSecondFactor(c.Request().Context(), kit.RequestCaller(c), typed.Needed))
}
