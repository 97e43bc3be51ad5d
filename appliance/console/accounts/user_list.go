package accounts

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/accounts"
)

func (s handlers) showUsers(c echo.Context) error {
	return s.usersPage(c, http.StatusOK, accounts.UsersView{Role: string(account.Operator)})
}

func (s handlers) usersPage(c echo.Context, status int, p accounts.UsersView) error {
	v := kit.RequestVisitor(c)
	all, err := s.searchUsers(c)
	if err != nil {
		return err
	}
	all, p.TableList = kit.PageLines(c, "/users", all)
	p.ConsolePage, p.Zone = s.ConsoleFrame(c, accounts.Users.In(v.Lang)), s.OrganizationZone(c)
	p.Governs, p.Made = v.User.IsGovernor(), s.FlashSecrets.TakeSecret(v.Session, kit.PasswordSecret)
	for _, u := range all {
		p.Users = append(p.Users, accounts.UserRow{
			ID: u.ID, Name: u.Name, Role: string(u.Role), Created: u.CreatedAt, LastSignIn: u.LastSignInAt,
			Disabled: u.DisabledAt != nil, You: u.ID == v.User.ID,
		})
	}
	return kit.RenderPage(c, status, accounts.UsersPage(p))
}

// searchUsers returns the organization's users that match the search.
func (s handlers) searchUsers(c echo.Context) ([]account.User, error) {
	v := kit.RequestVisitor(c)
	all, err := s.Store.ListUsers(c.Request().Context(), v.Org.ID)
	return kit.SearchLines(c, all, func(u account.User) []string {
		return []string{u.Name, string(u.Role), accounts.RoleName(v.Lang, string(u.Role))}
	}), err
}

func (s handlers) exportUsers(c echo.Context) error {
	all, err := s.searchUsers(c)
	if err != nil {
		return err
	}
	columns := []string{"id", "name", "role", "created_at", "last_sign_in_at", "disabled_at"}
	return kit.SendCSV(c, "users", columns, all, func(u account.User) []string {
		return []string{
			u.ID, u.Name, string(u.Role), kit.FormatTimestamp(&u.CreatedAt), kit.FormatTimestamp(u.LastSignInAt),
			kit.FormatTimestamp(u.DisabledAt),
		}
	})
}

// requestUser finds the viewed organization's user that the path names (404 otherwise).
func (s handlers) requestUser(c echo.Context) (account.User, error) {
	u, err := s.Store.FindUser(c.Request().Context(), c.Param("user"))
	if err == nil && u.OrgID != kit.RequestVisitor(c).Org.ID {
		return account.User{}, echo.ErrNotFound
	}
	return u, err
}
