package keys

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store/account"
	"munadi/ui/form"
	"munadi/ui/keys"
)

func (s handlers) showKeys(c echo.Context) error {
	typed := keys.UsualKey()
	return s.showPage(c, http.StatusOK, keys.BindNewKey(form.NewBinder(kit.RequestVisitor(c).Lang, nil, nil), &typed))
}

// showPage shows the keys below the form of a new one.
func (s handlers) showPage(c echo.Context, status int, fields []form.Field) error {
	v := kit.RequestVisitor(c)
	all, err := s.listKeys(c)
	if err != nil {
		return err
	}
	p := keys.View{Form: fields, Zone: s.OrganizationZone(c), ConsolePage: s.ConsoleFrame(c, keys.Title.In(v.Lang))}
	p.Keys, p.TableList = kit.PageRows(c, "/keys", keys.Table, all)
	p.Made = s.FlashSecrets.TakeSecret(v.Session, kit.KeySecret)
	return kit.RenderPage(c, status, keys.Page(p))
}

// listKeys returns the organization's keys: valid ones first, each group newest first.
func (s handlers) listKeys(c echo.Context) ([]account.APIKey, error) {
	all, err := s.Store.ListKeys(c.Request().Context(), kit.RequestVisitor(c).Org.ID)
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b account.APIKey) int {
		switch {
		case a.IsLive() == b.IsLive():
			return 0
		case a.IsLive():
			return -1
		}
		return 1
	})
	return all, err
}

// exportKeys exports the keys' data as CSV, without the keys themselves.
func (s handlers) exportKeys(c echo.Context) error {
	all, err := s.listKeys(c)
	return kit.ExportRows(c, "keys", keys.Table, all, err)
}
