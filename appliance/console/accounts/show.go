package accounts

import (
	"bytes"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
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
