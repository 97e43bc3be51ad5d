package accounts

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/accounts"
)

// changeOwnExtension sets where the visitor is rung for a call-back.
func (s handlers) changeOwnExtension(c echo.Context) error {
	return s.setExtension(c, kit.RequestVisitor(c).User, "/account")
}

// changeExtension sets where a user is rung for a call-back.
func (s handlers) changeExtension(c echo.Context) error {
	u, err := s.requestUser(c)
	if err != nil {
		return redirectToUsers(c, err)
	}
	return s.setExtension(c, u, "/users")
}

// setExtension stores the extension of the form, and returns to a page.
func (s handlers) setExtension(c echo.Context, u account.User, page string) error {
	v := kit.RequestVisitor(c)
	typed := ""
	accounts.BindExtension(kit.BindSent(c), &typed)
	if number, ok := kit.PhoneNumber(typed); ok {
		typed = number
	}
	switch err := s.Accounts.SetExtension(c.Request().Context(), v.User, u, typed); {
	case store.CodeOf(err) == store.CodeInvalid:
		kit.FlashProblem(c, accounts.ExtensionInvalid.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, accounts.ExtensionSaved.In(v.Lang))
	}
	return kit.RedirectTo(c, kit.Root+page)
}
