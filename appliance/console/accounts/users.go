package accounts

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/locale"
)

func (s handlers) showUsers(c echo.Context) error {
	blank := accounts.NewUser{Role: account.Operator}
	b := form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil)
	return s.usersPage(c, http.StatusOK, accounts.BindNewUser(b, &blank))
}

// usersPage shows the users above the form of a new one.
func (s handlers) usersPage(c echo.Context, status int, fields []form.Field) error {
	v := kit.RequestVisitor(c)
	all, err := s.Store.ListUsers(c.Request().Context(), v.Org.ID)
	if err != nil {
		return err
	}
	p := accounts.UsersView{
		ConsolePage: s.ConsoleFrame(c, accounts.Users.In(v.Lang)), Zone: s.OrganizationZone(c), You: v.User.ID, Form: fields,
		Governs: v.User.IsGovernor(), Made: s.FlashSecrets.TakeSecret(v.Session, kit.PasswordSecret),
	}
	needed := accounts.NeededForm{Needed: v.Org.NeedsSecondFactor}
	p.Needed = accounts.BindNeeded(form.NewBinder(v.Lang, nil, nil), &needed)
	p.Users, p.TableList = kit.PageRows(c, "/users", accounts.UserTable(p.You), all)
	return kit.RenderPage(c, status, accounts.UsersPage(p))
}

func (s handlers) exportUsers(c echo.Context) error {
	v := kit.RequestVisitor(c)
	all, err := s.Store.ListUsers(c.Request().Context(), v.Org.ID)
	return kit.ExportRows(c, "users", accounts.UserTable(v.User.ID), all, err)
}

// requestUser finds the viewed organization's user that the path names (404 otherwise).
func (s handlers) requestUser(c echo.Context) (account.User, error) {
	u, err := s.Store.FindUser(c.Request().Context(), c.Param("user"))
	if err == nil && u.OrgID != kit.RequestVisitor(c).Org.ID {
		return account.User{}, echo.ErrNotFound
	}
	return u, err
}

// createUser adds a user to the organization, with the typed password or a temporary one that is shown once.
func (s handlers) createUser(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := accounts.NewUser{}
	accounts.BindNewUser(kit.BindSent(c), &typed)
	made := typed.Password == ""
	if made {
		typed.Password = auth.SuggestPassword()
	}
	ctx := c.Request().Context()
	_, err := s.Accounts.InviteUser(ctx, v.Org.ID, typed.Name, typed.Role, typed.Password, v.AuditActor())
	if found := userViolations(err, v.Lang); found != nil {
		fields := accounts.BindNewUser(form.NewBinder(v.Lang, nil, found), &typed)
		return s.usersPage(c, http.StatusUnprocessableEntity, fields)
	}
	if err != nil {
		return err
	}
	if made {
		s.FlashSecrets.PutSecret(v.Session, kit.PasswordSecret, typed.Password)
	}
	return kit.RedirectSaying(c, kit.Root+"/users", accounts.Made.In(v.Lang))
}

// userViolations returns why a user cannot be created, beside the fields; nil for an error of another kind.
func userViolations(err error, l locale.Language) []form.Violation {
	violation := form.Violation{Path: "name"}
	switch {
	case errors.Is(err, auth.ErrBusy):
		violation.Message = accounts.SignInBusy.In(l)
	case store.CodeOf(err) == store.CodeConflict:
		violation.Message = accounts.Taken.In(l)
	case store.CodeOf(err) == store.CodeInvalid:
		violation.Message = accounts.BadName.In(l)
	default:
		violation = form.Violation{Path: "password", Message: describeWeakness(err, l)}
	}
	if violation.Message == "" {
		return nil
	}
	return []form.Violation{violation}
}

// describeWeakness returns why a password is refused; empty if err has another cause.
func describeWeakness(err error, l locale.Language) string {
	var weak *auth.WeakPassword
	if !errors.As(err, &weak) {
		return ""
	}
	return map[auth.PasswordWeakness]locale.Text{
		auth.TooShort: accounts.PasswordShort, auth.TooLong: accounts.PasswordLong,
		auth.IsName: accounts.PasswordIsName, auth.Common: accounts.PasswordCommon,
	}[weak.Why].In(l)
}

// changeRole changes a user's role, unless it was changed since it was shown.
func (s handlers) changeRole(c echo.Context) error {
	u, err := s.requestUser(c)
	if err != nil {
		return redirectToUsers(c, err)
	}
	role, l := account.UserRole(c.FormValue("role")), kit.RequestVisitor(c).Lang
	shown := shownValue{sent: c.FormValue("revision"), of: func(u account.User) string { return string(u.Role) }}
	err = s.Accounts.ChangeRole(c.Request().Context(), kit.RequestVisitor(c).User, u, role, shown.isUnchanged)
	if errors.Is(err, auth.ErrStale) {
		saved := accounts.RoleName(l, account.UserRole(shown.kept))
		return shown.refuse(c, u, saved, accounts.RoleName(l, role), "/users")
	}
	return redirectToUsers(c, err)
}

// shownValue is the precondition of a form of one value of a user: it is still the one that the form showed.
type shownValue struct {
	sent string // as [accounts.ShownValue]; empty: any value, for programs that send the form without it
	of   func(account.User) string
	kept string // as the change found it
}

func (s *shownValue) isUnchanged(kept account.User) bool {
	s.kept = s.of(kept)
	return s.sent == "" || s.sent == accounts.ShownValue(s.kept).Revision
}

// refuse says that another change came first, with the value that is saved and the typed one, and returns to a page.
func (s *shownValue) refuse(c echo.Context, u account.User, saved, typed, page string) error {
	kit.FlashProblem(c, locale.FillSentence(accounts.Stale.In(kit.RequestVisitor(c).Lang), "name", kit.IsolateText(u.Name),
		"saved", kit.IsolateText(cmp.Or(saved, "—")), "typed", kit.IsolateText(cmp.Or(typed, "—"))))
	return kit.RedirectTo(c, kit.Root+page)
}

// changeState disables a user, whose sessions end, or enables it again.
func (s handlers) changeState(c echo.Context) error {
	change := s.Accounts.DisableUser
	if c.FormValue("state") == "active" {
		change = s.Accounts.EnableUser
	}
	u, err := s.requestUser(c)
	if err == nil {
		err = change(c.Request().Context(), kit.RequestVisitor(c).User, u)
	}
	return redirectToUsers(c, err)
}

// redirectToUsers redirects to the users with the result of a change.
func redirectToUsers(c echo.Context, err error) error {
	l := kit.RequestVisitor(c).Lang
	switch {
	case errors.Is(err, auth.ErrSelf):
		kit.FlashProblem(c, accounts.Self.In(l))
	case errors.Is(err, auth.ErrNoSecondFactor):
		kit.FlashProblem(c, accounts.FactorNone.In(l))
	case store.CodeOf(err) == store.CodeConflict:
		kit.FlashProblem(c, accounts.LastOwner.In(l))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, accounts.Saved.In(l))
	}
	return kit.RedirectTo(c, kit.Root+"/users")
}

// askDeleteUser asks for confirmation before a user is deleted.
func (s handlers) askDeleteUser(c echo.Context) error {
	l := kit.RequestVisitor(c).Lang
	question := component.AskQuestion{
		Title: accounts.DeleteAsk.In(l), Text: accounts.DeleteWhat.In(l), Do: locale.KitDelete.In(l), Danger: true,
	}
	return s.askAboutUser(c, "/delete", question)
}

// deleteUser deletes a user other than the visitor.
func (s handlers) deleteUser(c echo.Context) error {
	u, err := s.requestUser(c)
	if err == nil {
		err = s.Accounts.DeleteUser(c.Request().Context(), kit.RequestVisitor(c).User, u)
	}
	return redirectToUsers(c, err)
}

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
	q.Text = kit.IsolateText(u.Name) + " · " + q.Text
	q.Action, q.Back = kit.Root+"/users/"+u.ID+act, kit.Root+"/users"
	return s.AskQuestion(c, q)
}
