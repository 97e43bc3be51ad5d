package console

import (
	"github.com/labstack/echo/v4"

	"munadi/ui/component"
	"munadi/ui/locale"
)

// askDeleteUser asks for confirmation before a user is deleted.
func (s *ConsoleService) askDeleteUser(c echo.Context) error {
	w := locale.UsersIn(requestVisitor(c).Lang)
	question := component.AskQuestion{Title: w.DeleteAsk, Text: w.DeleteWhat, Do: w.Delete, Danger: true}
	return s.askAboutUser(c, "/delete", question)
}

// deleteUser deletes a user other than the visitor.
func (s *ConsoleService) deleteUser(c echo.Context) error {
	u, err := s.requestUser(c)
	if err == nil {
		err = s.Accounts.DeleteUser(c.Request().Context(), requestVisitor(c).User, u)
	}
	return redirectToUsers(c, err)
}
