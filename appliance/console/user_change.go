package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/account"
	"munadi/ui/locale"
)

// changeRole changes a user's role; it takes effect at the user's next request.
func (s *ConsoleService) changeRole(c echo.Context) error {
	role := account.UserRole(c.FormValue("role"))
	return s.changeUser(c, "user.role", func(u *account.User) error {
		u.Role = role
		return nil
	})
}

// changeState disables a user, whose sessions end, or enables it again.
func (s *ConsoleService) changeState(c echo.Context) error {
	if c.FormValue("state") == "active" {
		return s.changeUser(c, "user.enable", func(u *account.User) error {
			u.DisabledAt = nil
			return nil
		})
	}
	now := s.Now().UTC()
	return s.changeUser(c, "user.disable", func(u *account.User) error {
		u.DisabledAt = &now
		return nil
	})
}

// changeUser changes a user other than the visitor.
func (s *ConsoleService) changeUser(c echo.Context, what string, change func(*account.User) error) error {
	v, ctx, w := requestVisitor(c), c.Request().Context(), locale.UsersIn(requestVisitor(c).Lang)
	u, err := s.requestUser(c)
	if err != nil {
		return err
	}
	if u.ID == v.User.ID {
		flashProblem(c, w.Self)
		return redirectTo(c, Root+"/users")
	}
	changed, err := s.Store.ChangeUser(ctx, u.ID, what, v.auditActor(), s.Now().UTC(), change)
	if store.CodeOf(err) == store.CodeConflict {
		flashProblem(c, w.LastOwner)
		return redirectTo(c, Root+"/users")
	}
	if err == nil && changed.DisabledAt != nil {
		_, err = s.Store.EndSessions(ctx, u.ID, nil)
	}
	if err != nil {
		return err
	}
	flashMessage(c, w.Saved)
	return redirectTo(c, Root+"/users")
}
