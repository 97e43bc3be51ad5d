package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// users shows the organization's users.
func (s *Service) users(c echo.Context) error {
	return s.usersPage(c, http.StatusOK, page.Users{Role: string(org.Operator)})
}

func (s *Service) usersPage(c echo.Context, status int, p page.Users) error {
	v := visiting(c)
	all, err := s.usersSought(c)
	if err != nil {
		return err
	}
	all, p.List = paged(c, "/users", all)
	p.ConsolePage, p.Zone = s.frame(c, shell.Users, text.UsersIn(v.Lang).Users), s.zone(c)
	p.Governs, p.Made = v.User.Governs(), s.once.take(v.Session, oncePassword)
	for _, u := range all {
		p.Users = append(p.Users, page.User{
			ID: u.ID, Name: u.Name, Role: string(u.Role), Created: u.CreatedAt, LastSignIn: u.LastSignInAt,
			Disabled: u.DisabledAt != nil, You: u.ID == v.User.ID,
		})
	}
	return show(c, status, page.UsersPage(p))
}

// usersSought are the organization's users that the search lets through.
func (s *Service) usersSought(c echo.Context) ([]org.User, error) {
	v := visiting(c)
	all, err := s.Store.Users(c.Request().Context(), v.Org.ID)
	w := text.UsersIn(v.Lang)
	return sought(c, all, func(u org.User) []string {
		return []string{u.Name, string(u.Role), w.RoleName(string(u.Role))}
	}), err
}

// exportUsers sends them as CSV.
func (s *Service) exportUsers(c echo.Context) error {
	all, err := s.usersSought(c)
	if err != nil {
		return err
	}
	columns := []string{"id", "name", "role", "created_at", "last_sign_in_at", "disabled_at"}
	return sendCSV(c, "users", columns, all, func(u org.User) []string {
		return []string{
			u.ID, u.Name, string(u.Role), instant(&u.CreatedAt), instant(u.LastSignInAt), instant(u.DisabledAt),
		}
	})
}

// someone is the user that the path names, in the organization that is looked at; another's looks like none.
func (s *Service) someone(c echo.Context) (org.User, error) {
	u, err := s.Store.User(c.Request().Context(), c.Param("user"))
	if err == nil && u.OrgID != visiting(c).Org.ID {
		return org.User{}, echo.ErrNotFound
	}
	return u, err
}
