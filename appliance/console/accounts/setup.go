package accounts

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/callrules"
	"munadi/ui/accounts"
	"munadi/ui/form"
	uikeys "munadi/ui/keys"
	"munadi/ui/locale"
)

// SetUpPath is the path of the set-up link, without its token.
const SetUpPath = kit.Root + "/setup/"

// showSetUp shows the first page of the set-up.
func (s handlers) showSetUp(c echo.Context) error {
	err := s.Accounts.CanSetUp(c.Request().Context(), c.Param("token"))
	if errors.Is(err, auth.ErrLink) {
		return s.closedSetUp(c)
	}
	if err != nil {
		return err
	}
	return s.setUpPage(c, http.StatusOK, accounts.FirstUser{}, nil)
}

// setUp creates the first user, signs it in and creates the first key, which the next page shows.
func (s handlers) setUp(c echo.Context) error {
	ctx, lang := c.Request().Context(), preferences.PreferredLanguage(c)
	typed := accounts.FirstUser{}
	accounts.BindFirstUser(form.NewBinder(lang, kit.SentForm(c), nil), &typed)
	if found := checkFirstUser(typed, lang); found != nil {
		return s.setUpPage(c, http.StatusUnprocessableEntity, typed, found)
	}
	token, u, err := s.Accounts.SetUp(ctx, c.Param("token"), typed.Password, signInOrigin(c))
	if errors.Is(err, auth.ErrLink) || store.CodeOf(err) == store.CodeConflict {
		return s.closedSetUp(c)
	}
	if found := userViolations(err, lang); found != nil {
		return s.setUpPage(c, http.StatusUnprocessableEntity, typed, found)
	}
	if err != nil {
		return err
	}
	s.setSession(c, token, u)
	who := service.Caller{OrgID: u.OrgID, Actor: kit.Visitor{User: u}.AuditActor()}
	if typed.Zone != "" {
		if err := s.setTimeZone(ctx, who, typed.Zone); err != nil {
			return err
		}
	}
	if err := s.createFirstKey(c, token, who); err != nil {
		return err
	}
	return kit.RedirectTo(c, kit.Root+"/welcome")
}

// checkFirstUser returns what is wrong with the form of the set-up beside the password itself.
func checkFirstUser(typed accounts.FirstUser, l locale.Language) []form.Violation {
	if typed.Password != typed.Again {
		return []form.Violation{{Path: "again", Message: accounts.PasswordDiffer.In(l)}}
	}
	if _, err := time.LoadLocation(typed.Zone); err != nil || typed.Zone == "Local" {
		return []form.Violation{{Path: "time_zone", Message: accounts.SetUpBadZone.In(l)}}
	}
	return nil
}

// setTimeZone sets the organization's time zone.
func (s handlers) setTimeZone(ctx context.Context, who service.Caller, zone string) error {
	_, err := s.UseCases.PatchRules(
		ctx, who, nil, func(kept callrules.CallRules) (callrules.CallRules, service.FieldViolations, error) {
			kept.TimeZone = zone
			return kept, nil, nil
		})
	return err
}

// createFirstKey creates an API key for the first user.
func (s handlers) createFirstKey(c echo.Context, token string, who service.Caller) error {
	ctx := c.Request().Context()
	session, _, err := s.Gate.LookUpSession(ctx, token)
	if err != nil {
		return err
	}
	name := accounts.SetUpFirstKey.In(preferences.PreferredLanguage(c))
	_, plain, err := s.UseCases.CreateKey(ctx, who, name, uikeys.ScopeNames(account.UsualScopes()))
	if err == nil {
		s.FlashSecrets.PutSecret(session, kit.KeySecret, plain)
	}
	return err
}

// setUpPage shows the form with what was typed and what is wrong with it.
func (s handlers) setUpPage(c echo.Context, status int, typed accounts.FirstUser, found []form.Violation) error {
	l := preferences.PreferredLanguage(c)
	return s.renderSetUp(c, status, accounts.SetUp{
		User: auth.FirstUser, Form: accounts.BindFirstUser(form.NewBinder(l, nil, found), &typed),
	})
}

// closedSetUp says that the link is invalid.
func (s handlers) closedSetUp(c echo.Context) error {
	return s.renderSetUp(c, http.StatusGone, accounts.SetUp{Closed: true})
}

func (s handlers) renderSetUp(c echo.Context, status int, p accounts.SetUp) error {
	p.ConsolePage = s.VisitorFrame(c, accounts.SetUpTitle.In(preferences.PreferredLanguage(c)))
	return kit.RenderPage(c, status, accounts.SetUpPage(p))
}
