package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/form"
)

func (s handlers) showUsers(c echo.Context) error {
	blank := accounts.NewUser{Role: account.Operator}
	b := form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil)
	return s.usersPage(c, http.StatusOK, accounts.BindNewUser(b, &blank))
}

// usersPage shows the users above the form of a new one.
func (s handlers) usersPage(c echo.Context, status int, fields []form.Field) error {
	v := kit.RequestVisitor(c)
	all, err := s.Store.ListUsers(c.Request().Context(), v.Org.ID)
	if err != nil {
		return err
	}
	p := accounts.UsersView{
		ConsolePage: s.ConsoleFrame(c, accounts.Users.In(v.Lang)), Zone: s.OrganizationZone(c), You: v.User.ID, Form: fields,
		Governs: v.User.IsGovernor(), Made: s.FlashSecrets.TakeSecret(v.Session, kit.PasswordSecret),
	}
	needed := accounts.NeededForm{Needed: v.Org.NeedsSecondFactor}
	p.Needed = accounts.BindNeeded(form.NewBinder(v.Lang, nil, nil), &needed)
	p.Users, p.TableList = kit.PageRows(c, "/users", accounts.UserTable(p.You), all)
	return kit.RenderPage(c, status, accounts.UsersPage(p))
}

func (s handlers) exportUsers(c echo.Context) error {
	v := kit.RequestVisitor(c)
	all, err := s.Store.ListUsers(c.Request().Context(), v.Org.ID)
	return kit.ExportRows(c, "users", accounts.UserTable(v.User.ID), all, err)
}

// requestUser finds the viewed organization's user that the path names (404 otherwise).
func (s handlers) requestUser(c echo.Context) (account.User, error) {
	u, err := s.Store.FindUser(c.Request().Context(), c.Param("user"))
	if err == nil && u.OrgID != kit.RequestVisitor(c).Org.ID {
		return account.User{}, echo.ErrNotFound
	}
	return u, err
}
