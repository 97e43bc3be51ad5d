package keys

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/ui/component"
	"munadi/ui/form"
	"munadi/ui/keys"
)

// createKey creates an API key for the organization, which the next page shows once.
func (s handlers) createKey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	typed := keys.NewKey{}
	keys.BindNewKey(kit.BindSent(c), &typed)
	_, plain, err := s.UseCases.CreateKey(c.Request().Context(), kit.RequestCaller(c), typed.Name, typed.Scopes)
	var broken *service.ViolationError
	if errors.As(err, &broken) {
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
		Text:   "\u2068" + k.Name + "\u2069 · \u2066" + k.Prefix + "…\u2069 · " + keys.RevokeWhat.In(l),
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
