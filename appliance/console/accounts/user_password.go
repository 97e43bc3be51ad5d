package accounts

import (
	"errors"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/component"
)

// askResetPassword asks for confirmation before a user gets a new password.
func (s handlers) askResetPassword(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	question := component.AskQuestion{
		Title: accounts.PasswordAsk.In(l), Text: accounts.PasswordWhat.In(l), Do: accounts.NewPassword.In(l),
	}
	return s.askAboutUser(c, "/password", question)
}

// resetPassword sets a temporary password that is shown once; the user's sessions end.
func (s handlers) resetPassword(c echo.Context) error {
	v := kit.RequestVisitor(c)
	u, err := s.requestUser(c)
	if err != nil {
		return err
	}
	if s.Accounts.IsOfDirectory(u) {
		return kit.RedirectProblem(c, kit.Root+"/users", accounts.DirectoryPassword.In(v.Lang))
	}
	password := auth.SuggestPassword()
	err = s.Accounts.SetPassword(c.Request().Context(), u, password, v.AuditActor(), v.Session.Hash)
	if errors.Is(err, auth.ErrBusy) {
		return kit.RedirectProblem(c, kit.Root+"/users", accounts.SignInBusy.In(v.Lang))
	}
	if err != nil {
		return err
	}
	s.FlashSecrets.PutSecret(v.Session, kit.PasswordSecret, password)
	return kit.RedirectTo(c, kit.Root+"/users")
}

// askAboutUser shows a confirmation page about the user that the path names.
func (s handlers) askAboutUser(c echo.Context, act string, q component.AskQuestion) error {
	u, err := s.requestUser(c)
	if err != nil {
		return err
	}
	q.Text = isolateName(u) + " · " + q.Text
	q.Action, q.Back = kit.Root+"/users/"+u.ID+act, kit.Root+"/users"
	return s.AskQuestion(c, q)
}

// isolateName isolates the direction of a user's name from the sentence around it (Unicode first-strong isolate).
func isolateName(u account.User) string { return "\u2068" + u.Name + "\u2069" }
