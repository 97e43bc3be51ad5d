package console

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/shell"
	"munadi/ui/text"
)

// keys shows the organization's API keys, newest first and those that live before those that do not.
func (s *Service) keys(c echo.Context) error {
	return s.keysPage(c, http.StatusOK, page.Keys{Scopes: names([]org.Scope{org.ScopeSTT, org.ScopeCalls})})
}

func (s *Service) keysPage(c echo.Context, status int, p page.Keys) error {
	v := visiting(c)
	all, err := s.Store.Keys(c.Request().Context(), v.Org.ID)
	if err != nil {
		return err
	}
	p.ConsolePage, p.Zone = s.frame(c, shell.Keys, text.KeysIn(v.Lang).Title), s.zone(c)
	p.Made = s.once.take(v.Session, onceKey)
	for _, live := range []bool{true, false} {
		for _, k := range slices.Backward(all) {
			if k.Live() == live {
				p.Keys = append(p.Keys, page.Key{
					ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: names(k.Scopes), Created: k.CreatedAt,
					LastUsed: k.LastUsedAt, Revoked: k.RevokedAt,
				})
			}
		}
	}
	return show(c, status, page.KeysPage(p))
}

func names(scopes []org.Scope) []string {
	all := make([]string, len(scopes))
	for i, scope := range scopes {
		all[i] = string(scope)
	}
	return all
}
