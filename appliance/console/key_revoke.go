package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/layout"
	"munadi/ui/locale"
)

// askRevokeKey asks for confirmation before a key is revoked.
func (s *ConsoleService) askRevokeKey(c echo.Context) error {
	k, err := s.requestKey(c)
	if err != nil {
		return err
	}
	w := locale.KeysIn(requestVisitor(c).Lang)
	return s.askQuestion(c, layout.Keys, component.AskQuestion{
		Title: w.RevokeAsk, Text: "\u2068" + k.Name + "\u2069 · \u2066" + k.Prefix + "…\u2069 · " + w.RevokeWhat,
		Action: Root + "/keys/" + k.ID + "/revoke", Do: w.Revoke, Danger: true, Back: Root + "/keys", Leave: w.Cancel,
	})
}

// revokeKey revokes a key at once.
func (s *ConsoleService) revokeKey(c echo.Context) error {
	if _, err := s.UseCases.RevokeKey(c.Request().Context(), requestCaller(c), c.Param("key")); err != nil {
		return err
	}
	flashMessage(c, locale.KeysIn(requestVisitor(c).Lang).Done)
	return redirectTo(c, Root+"/keys")
}

// requestKey finds the viewed organization's key that the path names (404 otherwise).
func (s *ConsoleService) requestKey(c echo.Context) (account.APIKey, error) {
	k, err := s.Store.FindKey(c.Request().Context(), c.Param("key"))
	if err == nil && k.OrgID != requestVisitor(c).Org.ID {
		return account.APIKey{}, echo.ErrNotFound
	}
	return k, err
}
