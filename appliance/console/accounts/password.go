package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/ui/accounts"
	"munadi/ui/form"
)

// changePassword sets the user's password and ends the user's other sessions.
func (s handlers) changePassword(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := accounts.ChosenPassword{}
	accounts.BindPassword(kit.BindSent(c), &typed)
	if typed.New != typed.Again {
		return s.refusePassword(c, http.StatusUnprocessableEntity, "again", accounts.PasswordDiffer.In(v.Lang))
	}
	err := s.Accounts.ChangePassword(c.Request().Context(), v.User, v.Session, typed.Current, typed.New)
	if fault := describeWeakness(err, v.Lang); fault != "" {
		return s.refusePassword(c, http.StatusUnprocessableEntity, "new", fault)
	}
	if status, fault := s.DescribeUnconfirmed(c, err); fault != "" {
		return s.refusePassword(c, status, "current", fault)
	}
	return kit.RedirectAfter(c, err, kit.Root+"/account", accounts.Changed.In(v.Lang))
}

// refusePassword shows the account with the fault of a field of the password's form.
func (s handlers) refusePassword(c echo.Context, status int, field, fault string) error {
	return s.accountPage(c, status, []form.Violation{{Path: field, Message: fault}})
}
