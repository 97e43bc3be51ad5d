package accounts

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/accounts"
)

func (s handlers) showAccount(c echo.Context) error {
	return s.accountPage(c, http.StatusOK, "")
}

func (s handlers) accountPage(c echo.Context, status int, fault string) error {
	v := kit.RequestVisitor(c)
	all, err := s.Accounts.ListSessions(c.Request().Context(), v.User)
	if err != nil {
		return err
	}
	p := accounts.AccountView{
		ConsolePage: s.ConsoleFrame(c, accounts.Account.In(v.Lang)),
		Role:        string(v.User.Role), Numerals: v.Numerals, Zone: s.OrganizationZone(c), Fault: fault,
		Governs: v.User.IsGovernor(), Others: len(all) > 1, Temporary: v.User.PasswordUntil != nil,
	}
	found, list := kit.PageLines(c, "/account", kit.SearchLines(c, all, sessionTexts))
	list.CSV = kit.ListAddress("/account/sessions.csv", list.Filter, 0)
	p.TableList = list
	for _, session := range found {
		p.Sessions = append(p.Sessions, accounts.Session{
			ID: auth.SessionID(session), Agent: session.Agent, Address: session.Address,
			Began: session.CreatedAt, Seen: session.SeenAt, This: bytes.Equal(session.Hash, v.Session.Hash),
		})
	}
	return kit.RenderPage(c, status, accounts.AccountPage(p))
}

func sessionTexts(one account.UserSession) []string { return []string{one.Agent, one.Address} }

// exportSessions sends the user's sessions as CSV, without their tokens.
func (s handlers) exportSessions(c echo.Context) error {
	v := kit.RequestVisitor(c)
	all, err := s.Accounts.ListSessions(c.Request().Context(), v.User)
	if err != nil {
		return err
	}
	columns := []string{"browser", "address", "created_at", "seen_at", "this"}
	found := kit.SearchLines(c, all, sessionTexts)
	return kit.SendCSV(c, "sessions", columns, found, func(one account.UserSession) []string {
		this := strconv.FormatBool(bytes.Equal(one.Hash, v.Session.Hash))
		return []string{one.Agent, one.Address, kit.FormatTimestamp(&one.CreatedAt), kit.FormatTimestamp(&one.SeenAt), this}
	})
}
