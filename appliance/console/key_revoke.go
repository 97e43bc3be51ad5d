package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/store/org"
	"munadi/ui/part"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// askRevoke asks whether a key is to be ended.
func (s *Service) askRevoke(c echo.Context) error {
	k, err := s.ownKey(c)
	if err != nil {
		return err
	}
	w := text.KeysIn(visiting(c).Lang)
	return s.ask(c, shell.Keys, part.Question{
		Title: w.RevokeAsk, Text: "\u2068" + k.Name + "\u2069 · \u2066" + k.Prefix + "…\u2069 · " + w.RevokeWhat,
		Action: Root + "/keys/" + k.ID + "/revoke", Do: w.Revoke, Danger: true, Back: Root + "/keys", Leave: w.Cancel,
	})
}

// revokeKey ends a key at once.
func (s *Service) revokeKey(c echo.Context) error {
	v, ctx := visiting(c), c.Request().Context()
	k, err := s.Keys.RevokeOwn(ctx, v.Org.ID, c.Param("key"))
	if err != nil {
		return err
	}
	line := store.Change{At: s.Now().UTC(), Actor: v.actor(), Action: "key.revoke", Subject: k.Prefix, Note: k.Name}
	if err := s.Store.Note(ctx, v.Org.ID, line); err != nil {
		return err
	}
	say(c, text.KeysIn(v.Lang).Done)
	return see(c, Root+"/keys")
}

// ownKey is the key that the path names, in the organization that is looked at.
func (s *Service) ownKey(c echo.Context) (org.Key, error) {
	k, err := s.Store.Key(c.Request().Context(), c.Param("key"))
	if err == nil && k.OrgID != visiting(c).Org.ID {
		return org.Key{}, echo.ErrNotFound
	}
	return k, err
}
