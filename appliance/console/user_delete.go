package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/part"
	"munadi/ui/text"
)

// askDelete asks whether a user is to be deleted.
func (s *Service) askDelete(c echo.Context) error {
	w := text.UsersIn(visiting(c).Lang)
	return s.askAbout(c, "/delete", part.Question{Title: w.DeleteAsk, Text: w.DeleteWhat, Do: w.Delete, Danger: true})
}

// deleteUser deletes a user, but not the one who asks.
func (s *Service) deleteUser(c echo.Context) error {
	v, w := visiting(c), text.UsersIn(visiting(c).Lang)
	u, err := s.someone(c)
	if err != nil {
		return err
	}
	if u.ID == v.User.ID {
		complain(c, w.Self)
		return see(c, Root+"/users")
	}
	err = s.Store.DeleteUser(c.Request().Context(), u.ID, v.actor(), s.Now().UTC())
	switch {
	case store.CodeOf(err) == store.CodeConflict:
		complain(c, w.LastOwner)
	case err != nil:
		return err
	default:
		say(c, w.Saved)
	}
	return see(c, Root+"/users")
}
