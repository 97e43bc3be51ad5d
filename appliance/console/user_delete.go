package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/component"
	"munadi/ui/locale"
)

// askDeleteUser asks for confirmation before a user is deleted.
func (s *ConsoleService) askDeleteUser(c echo.Context) error {
	w := locale.UsersIn(requestVisitor(c).Lang)
	return s.askAboutUser(
		c,
		"/delete",
		component.AskQuestion{Title: w.DeleteAsk, Text: w.DeleteWhat, Do: w.Delete, Danger: true},
	)
}

// deleteUser deletes a user other than the visitor.
func (s *ConsoleService) deleteUser(c echo.Context) error {
	v, w := requestVisitor(c), locale.UsersIn(requestVisitor(c).Lang)
	u, err := s.requestUser(c)
	if err != nil {
		return err
	}
	if u.ID == v.User.ID {
		flashProblem(c, w.Self)
		return redirectTo(c, Root+"/users")
	}
	err = s.Store.DeleteUser(c.Request().Context(), u.ID, v.auditActor(), s.Now().UTC())
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		flashProblem(c, w.LastOwner)
	case err != nil:
		return err
	default:
		flashMessage(c, w.Saved)
	}
	return redirectTo(c, Root+"/users")
}
