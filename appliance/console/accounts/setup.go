package accounts

import (
	"context"
	"errors"
	"net/http"
	"strings"
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
	uikeys "munadi/ui/keys"
)

// SetUpPath is the path of the set-up link, without its token.
const SetUpPath = kit.Root + "/setup/"

// showSetUp shows the first page of the set-up.
func (s handlers) showSetUp(c echo.Context) error {
	err := s.Accounts.CanSetUp(c.Request().Context(), c.Param("token"))
	if errors.Is(err, auth.ErrLink) {
		return s.setUpPage(c, http.StatusGone, accounts.SetUp{Closed: true})
	}
	if err != nil {
		return err
	}
	return s.setUpPage(c, http.StatusOK, accounts.SetUp{})
}

// setUp creates the first user, signs it in and creates the first key, which the next page shows.
func (s handlers) setUp(c echo.Context) error {
	ctx, lang := c.Request().Context(), preferences.PreferredLanguage(c)
	password := c.FormValue("password")
	if password != c.FormValue("again") {
		return s.setUpPage(c, http.StatusUnprocessableEntity, accounts.SetUp{Fault: accounts.PasswordDiffer.In(lang)})
	}
	zone := strings.TrimSpace(c.FormValue("time_zone"))
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
		fault := accounts.SetUpBadZone.In(lang)
		return s.setUpPage(c, http.StatusUnprocessableEntity, accounts.SetUp{Fault: fault, Zone: zone})
	}
	token, u, err := s.Accounts.SetUp(ctx, c.Param("token"), password, signInOrigin(c))
	if errors.Is(err, auth.ErrLink) || store.CodeOf(err) == store.CodeConflict {
		return s.setUpPage(c, http.StatusGone, accounts.SetUp{Closed: true})
	}
	if fault := userFault(err, lang); fault != "" {
		return s.setUpPage(c, http.StatusUnprocessableEntity, accounts.SetUp{Fault: fault})
	}
	if err != nil {
		return err
	}
	s.setSession(c, token, u)
	who := service.Caller{OrgID: u.OrgID, Actor: kit.Visitor{User: u}.AuditActor()}
	if zone != "" {
		if err := s.setTimeZone(ctx, who, zone); err != nil {
			return err
		}
	}
	if err := s.createFirstKey(c, token, who); err != nil {
		return err
	}
	return kit.RedirectTo(c, kit.Root+"/welcome")
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

func (s handlers) setUpPage(c echo.Context, status int, p accounts.SetUp) error {
	p.ConsolePage, p.User = s.VisitorFrame(c, accounts.SetUpTitle.In(preferences.PreferredLanguage(c))), auth.FirstUser
	return kit.RenderPage(c, status, accounts.SetUpPage(p))
}
