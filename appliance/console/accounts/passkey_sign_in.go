package accounts

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/httpserver/preferences"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// pageLanguage returns the language of a page with or without a session.
func (handlers) pageLanguage(c echo.Context) locale.Language { return preferences.PreferredLanguage(c) }

// offerPasskeySignIn answers with what any authenticator is asked, for this browser.
func (s handlers) offerPasskeySignIn(c echo.Context) error {
	return s.answerOptions(c, func(site auth.PasskeySite) ([]byte, error) {
		browser := cookie.ReadCookie(c, kit.PasskeyCookie)
		if browser == "" {
			browser = auth.NewBrowserToken()
			cookie.SetCookie(c, kit.PasskeyCookie, browser, auth.PasskeyFor)
		}
		return s.Accounts.OfferPasskeySignIn(c.Request().Context(), site, browser, signInOrigin(c))
	})
}

// signInWithPasskey starts a session for the user of a passkey.
func (s handlers) signInWithPasskey(c echo.Context) error {
	site, err := s.PasskeySite(c)
	var token string
	var u account.User
	if err == nil {
		token, u, err = s.Accounts.SignInWithPasskey(c.Request().Context(), site, cookie.ReadCookie(c, kit.PasskeyCookie),
			[]byte(c.FormValue("response")), signInOrigin(c))
	}
	if err != nil {
		if status, fault := s.describePasskeyFault(c, err); fault != "" {
			s.Log.Warn("a sign-in with a passkey failed", "err", err)
			return s.signInPage(c, status, accounts.SignIn{Next: c.FormValue("next"), Fault: fault})
		}
		return s.showSignInFailure(c, "", err)
	}
	cookie.ClearCookie(c, kit.PasskeyCookie)
	return s.enterConsole(c, token, u, c.FormValue("next"))
}

// offerPasskeyStep answers with what the authenticators of the user are asked whose password was right.
func (s handlers) offerPasskeyStep(c echo.Context) error {
	return s.answerOptions(c, func(site auth.PasskeySite) ([]byte, error) {
		step := cookie.ReadCookie(c, kit.StepCookie)
		options, err := s.Accounts.OfferPasskeyStep(c.Request().Context(), site, step, signInOrigin(c))
		if errors.Is(err, auth.ErrStepExpired) {
			err = auth.ErrPasskey
		}
		return options, err
	})
}

// signInWithPasskeyStep ends a sign-in whose password was right with a passkey.
func (s handlers) signInWithPasskeyStep(c echo.Context) error {
	site, err := s.PasskeySite(c)
	var token string
	var u account.User
	if err == nil {
		step := cookie.ReadCookie(c, kit.StepCookie)
		token, u, err = s.Accounts.SignInWithPasskeyStep(
			c.Request().Context(), site, step, []byte(c.FormValue("response")), signInOrigin(c))
	}
	if err == nil {
		return s.enterConsole(c, token, u, c.FormValue("next"))
	}
	if status, fault := s.describePasskeyFault(c, err); fault != "" {
		s.Log.Warn("a sign-in with a passkey failed", "err", err)
		return s.signInCodePage(c, status, []form.Violation{{Path: "code", Message: fault}})
	}
	return s.showCodeFailure(c, err)
}

// offerPasskeyConfirmation answers with what the user's authenticators are asked.
func (s handlers) offerPasskeyConfirmation(c echo.Context) error {
	v := kit.RequestVisitor(c)
	return s.answerOptions(c, func(site auth.PasskeySite) ([]byte, error) {
		return s.Accounts.OfferPasskeyConfirmation(c.Request().Context(), site, v.User, v.Session)
	})
}

// confirmWithPasskey records that the user authenticated again with a passkey.
func (s handlers) confirmWithPasskey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	site, err := s.PasskeySite(c)
	if err == nil {
		err = s.Accounts.ConfirmWithPasskey(
			c.Request().Context(), site, v.User, v.Session, []byte(c.FormValue("response")))
	}
	if status, fault := s.describePasskeyFault(c, err); fault != "" {
		s.Log.Warn("an authentication with a passkey failed", "user", v.User.ID, "err", err)
		return s.confirmPage(c, status, fault)
	}
	if err != nil {
		return err
	}
	return redirectConfirmed(c, c.FormValue("next"))
}

// offersPasskeys reports whether passkeys can be used at the address of the request.
func (s handlers) offersPasskeys(c echo.Context) bool {
	_, err := s.PasskeySite(c)
	return err == nil
}
