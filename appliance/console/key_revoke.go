package console

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/keys"
)

// askRevokeKey asks for confirmation before a key is revoked.
func (s *ConsoleService) askRevokeKey(c echo.Context) error {
	k, err := s.requestKey(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title:  keys.RevokeAsk.In(l),
		Text:   "\u2068" + k.Name + "\u2069 · \u2066" + k.Prefix + "…\u2069 · " + keys.RevokeWhat.In(l),
		Action: kit.Root + "/keys/" + k.ID + "/revoke", Do: keys.Revoke.In(l), Danger: true, Back: kit.Root + "/keys",
		Leave: keys.Cancel.In(l),
	})
}

// revokeKey revokes a key at once.
func (s *ConsoleService) revokeKey(c echo.Context) error {
	if _, err := s.UseCases.RevokeKey(c.Request().Context(), kit.RequestCaller(c), c.Param("key")); err != nil {
		return err
	}
	kit.FlashMessage(c, keys.Done.In(kit.RequestVisitor(c).Lang))
	return kit.RedirectTo(c, kit.Root+"/keys")
}

// requestKey finds the viewed organization's key that the path names (404 otherwise).
func (s *ConsoleService) requestKey(c echo.Context) (account.APIKey, error) {
	k, err := s.Store.FindKey(c.Request().Context(), c.Param("key"))
	if err == nil && k.OrgID != kit.RequestVisitor(c).Org.ID {
		return account.APIKey{}, echo.ErrNotFound
	}
	return k, err
}
