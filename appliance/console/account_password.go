package console

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/ui/accounts"
)

// changePassword sets the user's password and ends the user's other sessions.
func (s *ConsoleService) changePassword(c echo.Context) error {
	v, password := kit.RequestVisitor(c), c.FormValue("new")
	if password != c.FormValue("again") {
		return s.accountPage(c, http.StatusUnprocessableEntity, accounts.PasswordDiffer.In(v.Lang))
	}
	err := s.Accounts.ChangePassword(c.Request().Context(), v.User, v.Session, c.FormValue("current"), password)
	if fault := describeWeakness(err, v.Lang); fault != "" {
		return s.accountPage(c, http.StatusUnprocessableEntity, fault)
	}
	if status, fault := s.describeUnconfirmed(c, err); fault != "" {
		return s.accountPage(c, status, fault)
	}
	if err != nil {
		return err
	}
	kit.FlashMessage(c, accounts.Changed.In(v.Lang))
	return kit.RedirectTo(c, kit.Root+"/account")
}

// describeUnconfirmed returns the status and sentence for an error of [auth.AccountService.ConfirmPassword]; empty for
// any other.
func (s *ConsoleService) describeUnconfirmed(c echo.Context, err error) (status int, fault string) {
	l := kit.RequestVisitor(c).Lang
	var locked *auth.LockedError
	switch {
	case errors.Is(err, auth.ErrWrong):
		return http.StatusUnprocessableEntity, accounts.WrongCurrent.In(l)
	case errors.As(err, &locked):
		return http.StatusTooManyRequests, s.describeLockout(c, locked)
	case errors.Is(err, auth.ErrBusy):
		return http.StatusServiceUnavailable, accounts.SignInBusy.In(l)
	}
	return 0, ""
}
