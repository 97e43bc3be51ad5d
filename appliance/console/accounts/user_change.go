package accounts

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/accounts"
)

// changeRole changes a user's role.
func (s handlers) changeRole(c echo.Context) error {
	u, err := s.requestUser(c)
	if err == nil {
		role := account.UserRole(c.FormValue("role"))
		err = s.Accounts.ChangeRole(c.Request().Context(), kit.RequestVisitor(c).User, u, role)
	}
	return redirectToUsers(c, err)
}

// changeState disables a user, whose sessions end, or enables it again.
func (s handlers) changeState(c echo.Context) error {
	change := s.Accounts.DisableUser
	if c.FormValue("state") == "active" {
		change = s.Accounts.EnableUser
	}
	u, err := s.requestUser(c)
	if err == nil {
		err = change(c.Request().Context(), kit.RequestVisitor(c).User, u)
	}
	return redirectToUsers(c, err)
}

// redirectToUsers redirects to the users with the result of a change.
func redirectToUsers(c echo.Context, err error) error {
	l := kit.RequestVisitor(c).Lang
	switch {
	case errors.Is(err, auth.ErrSelf):
		kit.FlashProblem(c, accounts.Self.In(l))
	case errors.Is(err, auth.ErrNoSecondFactor):
		kit.FlashProblem(c, accounts.FactorNone.In(l))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, accounts.LastOwner.In(l))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, accounts.Saved.In(l))
	}
	return kit.RedirectTo(c, kit.Root+"/users")
}
