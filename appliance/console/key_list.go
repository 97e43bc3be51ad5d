package console

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/store/account"
	"munadi/ui/keys"
	"munadi/ui/page"
)

func (s *ConsoleService) showKeys(c echo.Context) error {
	usual := page.KeysView{Scopes: scopeNames([]account.KeyScope{account.ScopeSTT, account.ScopeCalls})}
	return s.keysPage(c, http.StatusOK, usual)
}

func (s *ConsoleService) keysPage(c echo.Context, status int, p page.KeysView) error {
	v := requestVisitor(c)
	all, err := s.searchKeys(c)
	if err != nil {
		return err
	}
	all, p.TableList = pageLines(c, "/keys", all)
	p.ConsolePage, p.Zone = s.consoleFrame(c, keys.Title.In(v.Lang)), s.organizationZone(c)
	p.Made = s.flashSecrets.takeSecret(v.Session, keySecret)
	for _, k := range all {
		p.Keys = append(p.Keys, page.KeyRow{
			ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: scopeNames(k.Scopes), Created: k.CreatedAt,
			LastUsed: k.LastUsedAt, Revoked: k.RevokedAt,
		})
	}
	return renderPage(c, status, page.KeysPage(p))
}

// searchKeys returns the organization's keys that match the search: valid ones first, each group newest first.
func (s *ConsoleService) searchKeys(c echo.Context) ([]account.APIKey, error) {
	all, err := s.Store.ListKeys(c.Request().Context(), requestVisitor(c).Org.ID)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b account.APIKey) int { return compareBools(b.IsLive(), a.IsLive()) })
	return searchLines(c, all, func(k account.APIKey) []string {
		return []string{k.Name, k.Prefix, account.JoinScopes(k.Scopes)}
	}), nil
}

// exportKeys exports the keys' data as CSV, without the keys themselves.
func (s *ConsoleService) exportKeys(c echo.Context) error {
	all, err := s.searchKeys(c)
	if err != nil {
		return err
	}
	columns := []string{"id", "name", "prefix", "scopes", "created_at", "last_used_at", "revoked_at"}
	return sendCSV(c, "keys", columns, all, func(k account.APIKey) []string {
		return []string{
			k.ID, k.Name, k.Prefix, account.JoinScopes(k.Scopes), formatTimestamp(&k.CreatedAt),
			formatTimestamp(k.LastUsedAt), formatTimestamp(k.RevokedAt),
		}
	})
}

func scopeNames(scopes []account.KeyScope) []string {
	all := make([]string, len(scopes))
	for i, scope := range scopes {
		all[i] = string(scope)
	}
	return all
}
