package accounts

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/ui/accounts"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// askDeleteUser asks for confirmation before a user is deleted.
func (s handlers) askDeleteUser(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	question := component.AskQuestion{
		Title: accounts.DeleteAsk.In(l), Text: accounts.DeleteWhat.In(l), Do: locale.KitDelete.In(l), Danger: true,
	}
	return s.askAboutUser(c, "/delete", question)
}

// deleteUser deletes a user other than the visitor.
func (s handlers) deleteUser(c echo.Context) error {
	u, err := s.requestUser(c)
	if err == nil {
		err = s.Accounts.DeleteUser(c.Request().Context(), kit.RequestVisitor(c).User, u)
	}
	return redirectToUsers(c, err)
}
