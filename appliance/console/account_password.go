package console

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/ui/locale"
)

// changePassword sets the user's password and ends the user's other sessions.
func (s *ConsoleService) changePassword(c echo.Context) error {
	v, password := requestVisitor(c), c.FormValue("new")
	if password != c.FormValue("again") {
		return s.accountPage(c, http.StatusUnprocessableEntity, locale.PasswordsIn(v.Lang).Differ)
	}
	err := s.Accounts.ChangePassword(c.Request().Context(), v.User, v.Session, c.FormValue("current"), password)
	var locked *auth.LockedError
	switch fault := describeWeakness(err, v.Lang); {
	case fault != "":
		return s.accountPage(c, http.StatusUnprocessableEntity, fault)
	case errors.Is(err, auth.ErrWrong):
		return s.accountPage(c, http.StatusUnprocessableEntity, locale.UsersIn(v.Lang).WrongCurrent)
	case errors.As(err, &locked):
		return s.accountPage(c, http.StatusTooManyRequests, s.describeLockout(c, locked))
	case errors.Is(err, auth.ErrBusy):
		return s.accountPage(c, http.StatusServiceUnavailable, locale.SignInIn(v.Lang).Busy)
	case err != nil:
		return err
	}
	flashMessage(c, locale.UsersIn(v.Lang).Changed)
	return redirectTo(c, Root+"/account")
}
