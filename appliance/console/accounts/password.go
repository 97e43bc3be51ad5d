package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/ui/accounts"
)

// changePassword sets the user's password and ends the user's other sessions.
func (s handlers) changePassword(c echo.Context) error {
	v, password := kit.RequestVisitor(c), c.FormValue("new")
	if password != c.FormValue("again") {
		return s.accountPage(c, http.StatusUnprocessableEntity, accounts.PasswordDiffer.In(v.Lang))
	}
	err := s.Accounts.ChangePassword(c.Request().Context(), v.User, v.Session, c.FormValue("current"), password)
	if fault := kit.DescribeWeakness(err, v.Lang); fault != "" {
		return s.accountPage(c, http.StatusUnprocessableEntity, fault)
	}
	if status, fault := s.DescribeUnconfirmed(c, err); fault != "" {
		return s.accountPage(c, status, fault)
	}
	if err != nil {
		return err
	}
	kit.FlashMessage(c, accounts.Changed.In(v.Lang))
	return kit.RedirectTo(c, kit.Root+"/account")
}
