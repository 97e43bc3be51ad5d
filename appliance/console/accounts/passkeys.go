package accounts

import (
	"bytes"
	"encoding/base64"
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
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/component"
	"munadi/ui/form"
)

// passkeysPath is the path of the page of the user's passkeys.
const passkeysPath = "/account/passkeys"

// showPasskeys lists the user's passkeys.
func (s handlers) showPasskeys(c echo.Context) error {
	return s.passkeysPage(c, http.StatusOK, accounts.PasskeysView{})
}

// passkeysPage lists the passkeys, with the names that were refused, if p has any.
func (s handlers) passkeysPage(c echo.Context, status int, p accounts.PasskeysView) error {
	v := kit.RequestVisitor(c)
	if !s.Accounts.HasPassword(v.User) {
		return echo.ErrNotFound // the company's identity provider decides who signs in
	}
	_, err := s.PasskeySite(c)
	p.ConsolePage, p.Zone = s.ConsoleFrame(c, accounts.PasskeysTitle.In(v.Lang)), s.OrganizationZone(c)
	p.Keys, p.Codes = v.User.Passkeys, s.FlashSecrets.TakeSecret(v.Session, kit.RecoverySecret)
	p.Full, p.Public, p.Usable = len(v.User.Passkeys) >= account.MaxPasskeys, s.PasskeyAddress(), err == nil
	if p.Form == nil {
		p.Form = accounts.BindPasskeyName(form.NewBinder(v.Lang, nil, nil), &accounts.PasskeyName{})
	}
	if v.User.SecondFactor != nil {
		p.CodesLeft = len(v.User.SecondFactor.Recovery)
	}
	if !s.Accounts.IsConfirmed(v.Session) {
		p.Confirm = kit.Root + kit.ConfirmPath + "?next=" + url.QueryEscape(kit.Root+passkeysPath)
	}
	p.Module = "js/console-passkey.js"
	return kit.RenderPage(c, status, accounts.PasskeysPage(p))
}

// requireConfirmation leads a user who has not authenticated again to where that is done, and back to the passkeys.
func (s handlers) requireConfirmation(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.Accounts.IsConfirmed(kit.RequestVisitor(c).Session) {
			return next(c)
		}
		return kit.RedirectTo(c, kit.Root+kit.ConfirmPath+"?next="+url.QueryEscape(kit.Root+passkeysPath))
	}
}

// offerPasskey answers with the options of a new passkey.
func (s handlers) offerPasskey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	return s.answerOptions(c, func(site auth.PasskeySite) ([]byte, error) {
		return s.Accounts.OfferPasskey(c.Request().Context(), site, v.User, v.Session)
	})
}

// answerOptions answers a script with what an authenticator is asked, as JSON, or with a sentence why not.
func (s handlers) answerOptions(c echo.Context, offer func(auth.PasskeySite) ([]byte, error)) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	site, err := s.PasskeySite(c)
	var options []byte
	if err == nil {
		options, err = offer(site)
	}
	if err == nil {
		return c.JSONBlob(http.StatusOK, options)
	}
	status, fault := s.describePasskeyFault(c, err)
	if fault == "" {
		return err
	}
	return c.JSON(status, map[string]string{"error": fault})
}

// addPasskey adds the passkey that an authenticator made.
func (s handlers) addPasskey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	site, err := s.PasskeySite(c)
	var codes []string
	if err == nil {
		codes, err = s.Accounts.AddPasskey(c.Request().Context(), site, v.User, v.Session,
			c.FormValue("name"), []byte(c.FormValue("response")))
	}
	if store.CodeOf(err) == store.CodeInvalid {
		return s.refuseNewPasskey(c, http.StatusUnprocessableEntity, accounts.PasskeyBadName.In(v.Lang))
	}
	if status, fault := s.describePasskeyFault(c, err); fault != "" {
		return s.refuseNewPasskey(c, status, fault)
	}
	if err != nil {
		return err
	}
	if len(codes) > 0 {
		s.FlashSecrets.PutSecret(v.Session, kit.RecoverySecret, strings.Join(codes, "\n"))
	}
	return kit.RedirectSaying(c, kit.Root+passkeysPath, accounts.PasskeyAdded.In(v.Lang))
}

func (s handlers) refuseNewPasskey(c echo.Context, status int, fault string) error {
	return s.passkeysPage(c, status, accounts.PasskeysView{Form: typedName(c, fault)})
}

// typedName returns the field of a passkey's name with what was typed in it, and its fault.
func typedName(c echo.Context, fault string) []form.Field {
	found := []form.Violation{{Path: "name", Message: fault}}
	typed := accounts.PasskeyName{Name: c.FormValue("name")}
	return accounts.BindPasskeyName(form.NewBinder(kit.RequestVisitor(c).Lang, nil, found), &typed)
}

// describePasskeyFault returns the status and sentence for an error of a passkey; empty for any other.
func (s handlers) describePasskeyFault(c echo.Context, err error) (int, string) {
	l := preferences.PreferredLanguage(c) // with or without a session
	var locked *auth.LockedError
	switch {
	case errors.Is(err, auth.ErrPasskeyCopied):
		return http.StatusUnauthorized, accounts.PasskeyCopied.In(l)
	case errors.Is(err, auth.ErrPasskey):
		return http.StatusUnauthorized, accounts.PasskeyRefused.In(l)
	case errors.Is(err, kit.ErrNoPasskeySite):
		return http.StatusUnprocessableEntity, accounts.PasskeyElsewhere.In(l)
	case errors.Is(err, auth.ErrPasskeysFull):
		return http.StatusUnprocessableEntity, accounts.PasskeysFull.In(l)
	case errors.As(err, &locked):
		return http.StatusTooManyRequests, s.DescribeLockout(c, locked)
	}
	return 0, ""
}

// requestPasskey returns the id of the passkey that the form names.
func requestPasskey(c echo.Context) ([]byte, error) {
	id, err := base64.RawURLEncoding.DecodeString(c.FormValue("passkey"))
	if err != nil || len(id) == 0 {
		return nil, echo.ErrNotFound
	}
	return id, nil
}

// renamePasskey gives a passkey another name.
func (s handlers) renamePasskey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	id, err := requestPasskey(c)
	if err == nil {
		err = s.Accounts.RenamePasskey(c.Request().Context(), v.User, id, c.FormValue("name"))
	}
	if store.CodeOf(err) == store.CodeInvalid {
		return s.passkeysPage(c, http.StatusUnprocessableEntity, accounts.PasskeysView{
			Renamed: id, NewName: typedName(c, accounts.PasskeyBadName.In(v.Lang))[0],
		})
	}
	return s.redirectToPasskeys(c, err, accounts.Saved.In(v.Lang))
}

// askRemovePasskey asks for confirmation before a passkey is removed.
func (s handlers) askRemovePasskey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	id, err := requestPasskey(c)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(v.User.Passkeys, func(p account.Passkey) bool { return bytes.Equal(p.ID, id) })
	if at < 0 {
		return echo.ErrNotFound
	}
	return s.AskQuestion(c, component.AskQuestion{
		Title: accounts.PasskeyAsk.In(v.Lang),
		Text:  kit.IsolateText(v.User.Passkeys[at].Name) + " · " + accounts.PasskeyWhat.In(v.Lang),
		Do:    accounts.PasskeyRemove.In(v.Lang), Danger: true,
		Action: kit.Root + passkeysPath + "/remove", Back: kit.Root + passkeysPath,
		Name: "passkey", Value: c.FormValue("passkey"),
	})
}

// removePasskey removes a passkey.
func (s handlers) removePasskey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	id, err := requestPasskey(c)
	if err != nil {
		return err
	}
	needed, err := s.needsSecondFactor(c)
	if err == nil {
		err = s.Accounts.RemovePasskey(c.Request().Context(), v.User, v.Session, id, needed)
	}
	return s.redirectToPasskeys(c, err, accounts.PasskeyRemoved.In(v.Lang))
}

// needsSecondFactor reports whether the user's own organization requires a second factor.
func (s handlers) needsSecondFactor(c echo.Context) (bool, error) {
	own, err := s.Store.FindOrganization(c.Request().Context(), kit.RequestVisitor(c).User.OrgID)
	return own.NeedsSecondFactor, err
}

// redirectToPasskeys shows what has become of a change.
func (s handlers) redirectToPasskeys(c echo.Context, err error, done string) error {
	l := kit.RequestVisitor(c).Lang
	switch {
	case errors.Is(err, auth.ErrFactorNeeded):
		kit.FlashProblem(c, accounts.FactorLast.In(l))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, done)
	}
	return kit.RedirectTo(c, kit.Root+passkeysPath)
}

// renewConfirmedCodes makes new recovery codes, which are shown once.
func (s handlers) renewConfirmedCodes(c echo.Context) error {
	v := kit.RequestVisitor(c)
	codes, err := s.Accounts.RenewConfirmedCodes(c.Request().Context(), v.User)
	if err != nil {
		return err
	}
	s.FlashSecrets.PutSecret(v.Session, kit.RecoverySecret, strings.Join(codes, "\n"))
	return kit.RedirectTo(c, kit.Root+passkeysPath)
}

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
