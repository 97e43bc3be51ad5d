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
	all, err := s.Store.Users(c.Request().Context(), v.Org.ID)
	if err != nil {
		return err
	}
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

// someone is the user that the path names, in the organization that is looked at; another's looks like none.
func (s *Service) someone(c echo.Context) (org.User, error) {
	u, err := s.Store.User(c.Request().Context(), c.Param("user"))
	if err == nil && u.OrgID != visiting(c).Org.ID {
		return org.User{}, echo.ErrNotFound
	}
	return u, err
}
