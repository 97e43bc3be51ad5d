package accounts

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/locale"
)

// createUser adds a user to the organization, with the typed password or a temporary one that is shown once.
func (s handlers) createUser(c echo.Context) error {
	v := kit.RequestVisitor(c)
	p := accounts.UsersView{Name: strings.TrimSpace(c.FormValue("name")), Role: c.FormValue("role")}
	password := c.FormValue("password")
	made := password == ""
	if made {
		password = auth.SuggestPassword()
	}
	ctx, role := c.Request().Context(), account.UserRole(p.Role)
	_, err := s.Accounts.CreateUser(ctx, v.Org.ID, p.Name, role, password, v.AuditActor())
	if p.Fault = userFault(err, v.Lang); p.Fault != "" {
		return s.usersPage(c, http.StatusUnprocessableEntity, p)
	}
	if err != nil {
		return err
	}
	if made {
		s.FlashSecrets.PutSecret(v.Session, kit.PasswordSecret, password)
	}
	kit.FlashMessage(c, accounts.Made.In(v.Lang))
	return kit.RedirectTo(c, kit.Root+"/users")
}

// userFault returns why a user cannot be created, for display; empty for an error of another kind.
func userFault(err error, l locale.Language) string {
	switch {
	case errors.Is(err, auth.ErrBusy):
		return accounts.SignInBusy.In(l)
	case store.CodeOf(err) == store.CodeConflict:
		return accounts.Taken.In(l)
	case store.CodeOf(err) == store.CodeInvalid:
		return accounts.BadName.In(l)
	}
	return kit.DescribeWeakness(err, l)
}
