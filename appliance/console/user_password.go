package console

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// askPassword asks whether a user is to get a new password.
func (s *Service) askPassword(c echo.Context) error {
	w := text.UsersIn(visiting(c).Lang)
	return s.askAbout(c, "/password", part.Question{Title: w.PasswordAsk, Text: w.PasswordWhat, Do: w.NewPassword})
}

// newPassword gives a user a password that is shown once; the user's sessions end.
func (s *Service) newPassword(c echo.Context) error {
	v := visiting(c)
	u, err := s.someone(c)
	if err != nil {
		return err
	}
	password := auth.Suggest()
	err = s.Accounts.SetPassword(c.Request().Context(), u, password, v.actor(), v.Session.Hash)
	if errors.Is(err, auth.ErrBusy) {
		complain(c, text.SignInIn(v.Lang).Busy)
		return see(c, Root+"/users")
	}
	if err != nil {
		return err
	}
	s.once.put(v.Session, oncePassword, password)
	return see(c, Root+"/users")
}

// askAbout shows a question about the user that the path names.
func (s *Service) askAbout(c echo.Context, act string, q part.Question) error {
	u, err := s.someone(c)
	if err != nil {
		return err
	}
	q.Text = named(u) + " · " + q.Text
	q.Action, q.Back, q.Leave = Root+"/users/"+u.ID+act, Root+"/users", text.UsersIn(visiting(c).Lang).Cancel
	return s.ask(c, shell.Users, q)
}

// ask shows a question on a page of its own.
func (s *Service) ask(c echo.Context, section shell.Section, q part.Question) error {
	p := page.Confirm{ConsolePage: s.frame(c, section, q.Title), Question: q}
	p.Question.CSRF = p.CSRF
	return show(c, http.StatusOK, page.ConfirmPage(p))
}

// named is a user's name set apart from the sentence around it, whichever way that runs (Unicode's first strong
// isolate).
func named(u org.User) string { return "\u2068" + u.Name + "\u2069" }
