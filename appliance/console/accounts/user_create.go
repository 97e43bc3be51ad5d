package accounts

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/ui/accounts"
	"munadi/ui/form"
	"munadi/ui/locale"
)

// createUser adds a user to the organization, with the typed password or a temporary one that is shown once.
func (s handlers) createUser(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := accounts.NewUser{}
	accounts.BindNewUser(kit.BindSent(c), &typed)
	made := typed.Password == ""
	if made {
		typed.Password = auth.SuggestPassword()
	}
	ctx := c.Request().Context()
	_, err := s.Accounts.InviteUser(ctx, v.Org.ID, typed.Name, typed.Role, typed.Password, v.AuditActor())
	if found := userViolations(err, v.Lang); found != nil {
		fields := accounts.BindNewUser(form.NewBinder(v.Lang, nil, found), &typed)
		return s.usersPage(c, http.StatusUnprocessableEntity, fields)
	}
	if err != nil {
		return err
	}
	if made {
		s.FlashSecrets.PutSecret(v.Session, kit.PasswordSecret, typed.Password)
	}
	return kit.RedirectSaying(c, kit.Root+"/users", accounts.Made.In(v.Lang))
}

// userViolations returns why a user cannot be created, beside the fields; nil for an error of another kind.
func userViolations(err error, l locale.Language) []form.Violation {
	violation := form.Violation{Path: "name"}
	switch {
	case errors.Is(err, auth.ErrBusy):
		violation.Message = accounts.SignInBusy.In(l)
	case store.CodeOf(err) == store.CodeConflict:
		violation.Message = accounts.Taken.In(l)
	case store.CodeOf(err) == store.CodeInvalid:
		violation.Message = accounts.BadName.In(l)
	default:
		violation = form.Violation{Path: "password", Message: describeWeakness(err, l)}
	}
	if violation.Message == "" {
		return nil
	}
	return []form.Violation{violation}
}

// describeWeakness returns why a password is refused; empty if err has another cause.
func describeWeakness(err error, l locale.Language) string {
	var weak *auth.WeakPassword
	if !errors.As(err, &weak) {
		return ""
	}
	return map[auth.PasswordWeakness]locale.Text{
		auth.TooShort: accounts.PasswordShort, auth.TooLong: accounts.PasswordLong,
		auth.IsName: accounts.PasswordIsName, auth.Common: accounts.PasswordCommon,
	}[weak.Why].In(l)
}
