package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/org"
	"munadi/ui/text"
)

// changeRole gives a user another role; it counts from the user's next request on.
func (s *Service) changeRole(c echo.Context) error {
	role := org.Role(c.FormValue("role"))
	return s.changeUser(c, "user.role", func(u *org.User) error {
		u.Role = role
		return nil
	})
}

// changeState disables a user, whose sessions end, or enables one again.
func (s *Service) changeState(c echo.Context) error {
	if c.FormValue("state") == "active" {
		return s.changeUser(c, "user.enable", func(u *org.User) error {
			u.DisabledAt = nil
			return nil
		})
	}
	now := s.Now().UTC()
	return s.changeUser(c, "user.disable", func(u *org.User) error {
		u.DisabledAt = &now
		return nil
	})
}

// changeUser changes another user than the one who asks.
func (s *Service) changeUser(c echo.Context, what string, change func(*org.User) error) error {
	v, ctx, w := visiting(c), c.Request().Context(), text.UsersIn(visiting(c).Lang)
	u, err := s.someone(c)
	if err != nil {
		return err
	}
	if u.ID == v.User.ID {
		complain(c, w.Self)
		return see(c, Root+"/users")
	}
	changed, err := s.Store.ChangeUser(ctx, u.ID, what, v.actor(), s.Now().UTC(), change)
	if store.CodeOf(err) == store.CodeConflict {
		complain(c, w.LastOwner)
		return see(c, Root+"/users")
	}
	if err == nil && changed.DisabledAt != nil {
		_, err = s.Store.EndSessions(ctx, u.ID, nil)
	}
	if err != nil {
		return err
	}
	say(c, w.Saved)
	return see(c, Root+"/users")
}
