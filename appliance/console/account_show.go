package console

import (
	"bytes"
	"encoding/hex"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// account shows a user's own page.
func (s *Service) account(c echo.Context) error { return s.accountPage(c, http.StatusOK, "") }

func (s *Service) accountPage(c echo.Context, status int, fault string) error {
	v := visiting(c)
	all, err := s.Store.Sessions(c.Request().Context(), v.User.ID, s.Now().UTC())
	if err != nil {
		return err
	}
	p := page.Account{
		ConsolePage: s.frame(c, shell.Section("account"), text.UsersIn(v.Lang).Account), Role: string(v.User.Role),
		Numerals: v.Numerals,
		Zone:     s.zone(c), Fault: fault, Governs: v.User.Governs(),
	}
	for _, session := range all {
		p.Sessions = append(p.Sessions, page.Session{
			ID: hex.EncodeToString(session.Hash), Agent: session.Agent, Address: session.Address,
			Began: session.CreatedAt, Seen: session.SeenAt, This: bytes.Equal(session.Hash, v.Session.Hash),
		})
	}
	return show(c, status, page.AccountPage(p))
}
