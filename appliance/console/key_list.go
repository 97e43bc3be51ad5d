package console

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/keys"
	"munadi/ui/page"
)

func (s *ConsoleService) showKeys(c echo.Context) error {
	usual := page.KeysView{Scopes: scopeNames([]account.KeyScope{account.ScopeSTT, account.ScopeCalls})}
	return s.keysPage(c, http.StatusOK, usual)
}

func (s *ConsoleService) keysPage(c echo.Context, status int, p page.KeysView) error {
	v := kit.RequestVisitor(c)
	all, err := s.searchKeys(c)
	if err != nil {
		return err
	}
	all, p.TableList = kit.PageLines(c, "/keys", all)
	p.ConsolePage, p.Zone = s.ConsoleFrame(c, keys.Title.In(v.Lang)), s.OrganizationZone(c)
	p.Made = s.FlashSecrets.TakeSecret(v.Session, kit.KeySecret)
	for _, k := range all {
		p.Keys = append(p.Keys, page.KeyRow{
			ID: k.ID, Name: k.Name, Prefix: k.Prefix, Scopes: scopeNames(k.Scopes), Created: k.CreatedAt,
			LastUsed: k.LastUsedAt, Revoked: k.RevokedAt,
		})
	}
	return kit.RenderPage(c, status, page.KeysPage(p))
}

// searchKeys returns the organization's keys that match the search: valid ones first, each group newest first.
func (s *ConsoleService) searchKeys(c echo.Context) ([]account.APIKey, error) {
	all, err := s.Store.ListKeys(c.Request().Context(), kit.RequestVisitor(c).Org.ID)
	if err != nil {
		return nil, err
	}
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b account.APIKey) int { return compareBools(b.IsLive(), a.IsLive()) })
	return kit.SearchLines(c, all, func(k account.APIKey) []string {
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
	return kit.SendCSV(c, "keys", columns, all, func(k account.APIKey) []string {
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
