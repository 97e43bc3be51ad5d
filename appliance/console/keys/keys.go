package keys

import (
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/ui/component"
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

// createKey creates an API key for the organization, which the next page shows once.
func (s handlers) createKey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := keys.NewKey{}
	keys.BindNewKey(kit.BindSent(c), &typed)
	_, plain, err := s.UseCases.CreateKey(c.Request().Context(), kit.RequestCaller(c), typed.Name, typed.Scopes)
	if broken, ok := errors.AsType[*service.ViolationError](err); ok {
		b := form.NewBinder(v.Lang, nil, kit.FormViolations(broken.Violations))
		return s.showPage(c, http.StatusUnprocessableEntity, keys.BindNewKey(b, &typed))
	}
	if err != nil {
		return err
	}
	s.FlashSecrets.PutSecret(v.Session, kit.KeySecret, plain)
	return kit.RedirectTo(c, kit.Root+"/keys")
}

// askRevokeKey asks for confirmation before a key is revoked.
func (s handlers) askRevokeKey(c echo.Context) error {
	k, err := s.requestKey(c)
	if err != nil {
		return err
	}
	l := kit.RequestVisitor(c).Lang
	return s.AskQuestion(c, component.AskQuestion{
		Title: keys.RevokeAsk.In(l), Do: keys.Revoke.In(l), Danger: true, Back: kit.Root + "/keys",
		Text:   kit.IsolateText(k.Name) + " · \u2066" + k.Prefix + "…\u2069 · " + keys.RevokeWhat.In(l),
		Action: kit.Root + "/keys/" + k.ID + "/revoke",
	})
}

// revokeKey revokes a key at once.
func (s handlers) revokeKey(c echo.Context) error {
	_, err := s.UseCases.RevokeKey(c.Request().Context(), kit.RequestCaller(c), c.Param("key"))
	return kit.RedirectAfter(c, err, kit.Root+"/keys", keys.Done.In(kit.RequestVisitor(c).Lang))
}

// requestKey finds the viewed organization's key that the path names (404 otherwise).
func (s handlers) requestKey(c echo.Context) (account.APIKey, error) {
	k, err := s.Store.FindKey(c.Request().Context(), c.Param("key"))
	if err == nil && k.OrgID != kit.RequestVisitor(c).Org.ID {
		return account.APIKey{}, echo.ErrNotFound
	}
	return k, err
}
