package console

import (
	"bytes"
	"encoding/hex"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// account shows a user's own page.
func (s *Service) account(c echo.Context) error { return s.accountPage(c, http.StatusOK, "") }

func (s *Service) accountPage(c echo.Context, status int, fault string) error {
	v := visiting(c)
	all, err := s.sessions(c)
	if err != nil {
		return err
	}
	p := page.Account{
		ConsolePage: s.frame(c, shell.Section("account"), text.UsersIn(v.Lang).Account), Role: string(v.User.Role),
		Numerals: v.Numerals,
		Zone:     s.zone(c), Fault: fault, Governs: v.User.Governs(), Others: len(all) > 1,
	}
	found, list := paged(c, "/account", sought(c, all, sessionFace))
	list.CSV = listAddress("/account/sessions.csv", list.Filter, 0)
	p.List = list
	for _, session := range found {
		p.Sessions = append(p.Sessions, page.Session{
			ID: hex.EncodeToString(session.Hash), Agent: session.Agent, Address: session.Address,
			Began: session.CreatedAt, Seen: session.SeenAt, This: bytes.Equal(session.Hash, v.Session.Hash),
		})
	}
	return show(c, status, page.AccountPage(p))
}

// sessions are the live ones of the user.
func (s *Service) sessions(c echo.Context) ([]org.Session, error) {
	return s.Store.Sessions(c.Request().Context(), visiting(c).User.ID, s.Now().UTC())
}

func sessionFace(one org.Session) []string { return []string{one.Agent, one.Address} }

// exportSessions sends the user's sessions as CSV; what opens one is not in it.
func (s *Service) exportSessions(c echo.Context) error {
	all, err := s.sessions(c)
	if err != nil {
		return err
	}
	columns := []string{"browser", "address", "created_at", "seen_at", "this"}
	return sendCSV(c, "sessions", columns, sought(c, all, sessionFace), func(one org.Session) []string {
		this := bytes.Equal(one.Hash, visiting(c).Session.Hash)
		return []string{one.Agent, one.Address, instant(&one.CreatedAt), instant(&one.SeenAt), strconv.FormatBool(this)}
	})
}
