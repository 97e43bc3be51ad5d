package accounts

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/ui/accounts"
	"munadi/ui/form"
	"munadi/ui/list"
	"munadi/ui/locale"
)

func (s handlers) showAccount(c echo.Context) error {
	return s.accountPage(c, http.StatusOK, nil)
}

// accountPage shows the visitor's own account, with the violations of the password's form.
func (s handlers) accountPage(c echo.Context, status int, found []form.Violation) error {
	v := kit.RequestVisitor(c)
	all, err := s.Accounts.ListSessions(c.Request().Context(), v.User)
	if err != nil {
		return err
	}
	p := accounts.AccountView{
		ConsolePage: s.ConsoleFrame(c, locale.ConsoleAccount.In(v.Lang)), Table: s.sessionTable(v),
		Role: v.User.Role, Numerals: v.Numerals, Zone: s.OrganizationZone(c), Governs: v.User.IsGovernor(),
		Form:   accounts.BindPassword(form.NewBinder(v.Lang, nil, found), &accounts.ChosenPassword{}),
		Others: len(all) > 1, Temporary: v.User.PasswordUntil != nil,
		HasFactor: v.User.SecondFactor.HasApp(), HasPasskey: len(v.User.Passkeys) > 0,
		HasPassword: s.Accounts.HasPassword(v.User), OfDirectory: s.Accounts.IsOfDirectory(v.User),
	}
	if !s.Accounts.IsConfirmed(v.Session) {
		p.Confirm = confirmSessionsAddress()
	}
	p.MayRing = v.User.Role.Allows(account.Operator)
	p.Extension = accounts.BindExtension(form.NewBinder(v.Lang, nil, nil), &v.User.Extension)
	p.Sessions, p.TableList = kit.PageRows(c, "/account", p.Table, all)
	p.CSV = kit.ListAddress("/account/sessions.csv", p.Filter, 0)
	return kit.RenderPage(c, status, accounts.AccountPage(p))
}

// sessionTable returns the table of a visitor's sessions.
func (s handlers) sessionTable(v kit.Visitor) list.Table[account.UserSession] {
	isThis := func(one account.UserSession) bool { return bytes.Equal(one.Hash, v.Session.Hash) }
	return accounts.SessionTable(auth.SessionID, isThis, s.Accounts.IsConfirmed(v.Session))
}

// exportSessions sends the user's sessions as CSV, without their tokens.
func (s handlers) exportSessions(c echo.Context) error {
	v := kit.RequestVisitor(c)
	all, err := s.Accounts.ListSessions(c.Request().Context(), v.User)
	return kit.ExportRows(c, "sessions", s.sessionTable(v), all, err)
}

// endSessions ends one session of the user, or all but the current one, if the user has authenticated again.
func (s handlers) endSessions(c echo.Context) error {
	v, ctx, id := kit.RequestVisitor(c), c.Request().Context(), c.FormValue("session")
	if !s.Accounts.IsConfirmed(v.Session) {
		return kit.RedirectTo(c, confirmSessionsAddress())
	}
	var err error
	if id == "" {
		err = s.Accounts.EndOtherSessions(ctx, v.User, v.Session)
	} else {
		err = s.Accounts.EndUserSession(ctx, v.User, id)
	}
	if err != nil {
		return err
	}
	if id == auth.SessionID(v.Session) {
		return kit.RedirectTo(c, kit.Root+"/sign-in")
	}
	return kit.RedirectSaying(c, kit.Root+"/account", accounts.Ended.In(v.Lang))
}

// confirmSessionsAddress returns where a user authenticates again before sessions are ended.
func confirmSessionsAddress() string {
	return kit.Root + kit.ConfirmPath + "?next=" + url.QueryEscape(kit.Root+"/account")
}

// changeOwnExtension sets where the visitor is rung for a call-back.
func (s handlers) changeOwnExtension(c echo.Context) error {
	return s.setExtension(c, kit.RequestVisitor(c).User, "/account")
}

// changeExtension sets where a user is rung for a call-back.
func (s handlers) changeExtension(c echo.Context) error {
	u, err := s.requestUser(c)
	if err != nil {
		return redirectToUsers(c, err)
	}
	return s.setExtension(c, u, "/users")
}

// setExtension stores the extension of the form, and returns to a page.
func (s handlers) setExtension(c echo.Context, u account.User, page string) error {
	v := kit.RequestVisitor(c)
	typed := ""
	accounts.BindExtension(kit.BindSent(c), &typed)
	if number, ok := kit.LocalNumber(typed, s.NumberRegion(c)); ok {
		typed = number
	}
	shown := shownValue{sent: c.FormValue("revision"), of: func(u account.User) string { return u.Extension }}
	switch err := s.Accounts.SetExtension(c.Request().Context(), v.User, u, typed, shown.isUnchanged); {
	case errors.Is(err, auth.ErrStale):
		return shown.refuse(c, u, shown.kept, typed, page)
	case store.CodeOf(err) == store.CodeInvalid:
		kit.FlashProblem(c, accounts.ExtensionInvalid.In(v.Lang))
	case err != nil:
		return err
	default:
		kit.FlashMessage(c, accounts.ExtensionSaved.In(v.Lang))
	}
	return kit.RedirectTo(c, kit.Root+page)
}

// changePassword sets the user's password and ends the user's other sessions.
func (s handlers) changePassword(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := accounts.ChosenPassword{}
	accounts.BindPassword(kit.BindSent(c), &typed)
	if typed.New != typed.Again {
		return s.refusePassword(c, http.StatusUnprocessableEntity, "again", accounts.PasswordDiffer.In(v.Lang))
	}
	err := s.Accounts.ChangePassword(c.Request().Context(), v.User, v.Session, typed.Current, typed.New)
	if fault := describeWeakness(err, v.Lang); fault != "" {
		return s.refusePassword(c, http.StatusUnprocessableEntity, "new", fault)
	}
	if status, fault := s.DescribeUnconfirmed(c, err); fault != "" {
		return s.refusePassword(c, status, "current", fault)
	}
	return kit.RedirectAfter(c, err, kit.Root+"/account", accounts.Changed.In(v.Lang))
}

// refusePassword shows the account with the fault of a field of the password's form.
func (s handlers) refusePassword(c echo.Context, status int, field, fault string) error {
	return s.accountPage(c, status, []form.Violation{{Path: field, Message: fault}})
}
