package console

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/service"
	"munadi/ui/keys"
	"munadi/ui/page"
)

// createKey creates an API key for the organization, which the next page shows once.
func (s *ConsoleService) createKey(c echo.Context) error {
	v := kit.RequestVisitor(c)
	form, err := c.FormParams()
	if err != nil {
		return kit.NewFormError(err)
	}
	p := page.KeysView{Name: strings.TrimSpace(c.FormValue("name")), Scopes: form["scope"]}
	_, plain, err := s.UseCases.CreateKey(c.Request().Context(), kit.RequestCaller(c), p.Name, p.Scopes)
	var broken *service.ViolationError
	switch {
	case errors.As(err, &broken) && broken.Violations.HasViolation("name"):
		p.Fault = keys.BadName.In(v.Lang)
		return s.keysPage(c, http.StatusUnprocessableEntity, p)
	case errors.As(err, &broken):
		p.Fault = keys.NoScope.In(v.Lang)
		return s.keysPage(c, http.StatusUnprocessableEntity, p)
	case err != nil:
		return err
	}
	s.FlashSecrets.PutSecret(v.Session, kit.KeySecret, plain)
	return kit.RedirectTo(c, kit.Root+"/keys")
}
