package console

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/text"
)

// createUser adds a user to the organization, with the password that was typed or with one that is shown once.
func (s *Service) createUser(c echo.Context) error {
	v := visiting(c)
	p := page.Users{Name: strings.TrimSpace(c.FormValue("name")), Role: c.FormValue("role")}
	password := c.FormValue("password")
	made := password == ""
	if made {
		password = auth.Suggest()
	}
	_, err := s.Accounts.CreateUser(c.Request().Context(), v.Org.ID, p.Name, org.Role(p.Role), password, v.actor())
	if p.Fault = userFault(err, v.Lang); p.Fault != "" {
		return s.usersPage(c, http.StatusUnprocessableEntity, p)
	}
	if err != nil {
		return err
	}
	if made {
		s.once.put(v.Session, oncePassword, password)
	}
	say(c, text.UsersIn(v.Lang).Made)
	return see(c, Root+"/users")
}

// userFault says why a user may not be so, to people; empty for an error of another kind.
func userFault(err error, l text.Lang) string {
	w := text.UsersIn(l)
	switch {
	case errors.Is(err, auth.ErrBusy):
		return text.SignInIn(l).Busy
	case store.CodeOf(err) == store.CodeConflict:
		return w.Taken
	case store.CodeOf(err) == store.CodeInvalid:
		return w.BadName
	}
	return weakness(err, l)
}
