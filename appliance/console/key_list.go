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

// keys shows the organization's API keys.
func (s *Service) keys(c echo.Context) error {
	return s.keysPage(c, http.StatusOK, page.Keys{Scopes: names([]org.Scope{org.ScopeSTT, org.ScopeCalls})})
}

func (s *Service) keysPage(c echo.Context, status int, p page.Keys) error {
	v := visiting(c)
	all, err := s.keysSought(c)
	if err != nil {
		return err
	}
	all, p.List = paged(c, "/keys", all)
	p.ConsolePage, p.Zone = s.frame(c, shell.Keys, text.KeysIn(v.Lang).Title), s.zone(c)
	p.Made = s.once.take(v.Session, onceKey)
	for _, k := range all {
		p.Keys = append(p.Keys, page.Key{
			ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: names(k.Scopes), Created: k.CreatedAt,
			LastUsed: k.LastUsedAt, Revoked: k.RevokedAt,
		})
	}
	return show(c, status, page.KeysPage(p))
}

// keysSought are the organization's keys that the search lets through: those that live first, the newest of each first.
func (s *Service) keysSought(c echo.Context) ([]org.Key, error) {
	all, err := s.Store.Keys(c.Request().Context(), visiting(c).Org.ID)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b org.Key) int { return first(a.Live(), b.Live()) })
	return sought(c, all, func(k org.Key) []string { return []string{k.Name, k.Prefix, org.Join(k.Scopes)} }), nil
}

// first compares so that what is true comes first.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// exportKeys sends them as CSV: what is known of them, which is not the keys themselves.
func (s *Service) exportKeys(c echo.Context) error {
	all, err := s.keysSought(c)
	if err != nil {
		return err
	}
	columns := []string{"id", "name", "prefix", "scopes", "created_at", "last_used_at", "revoked_at"}
	return sendCSV(c, "keys", columns, all, func(k org.Key) []string {
		return []string{
			k.ID, k.Name, k.Prefix, org.Join(k.Scopes), instant(&k.CreatedAt), instant(k.LastUsedAt), instant(k.RevokedAt),
		}
	})
}

func names(scopes []org.Scope) []string {
	all := make([]string, len(scopes))
	for i, scope := range scopes {
		all[i] = string(scope)
	}
	return all
}
