package console

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/store/account"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// createKey creates an API key for the organization.
func (s *ConsoleService) createKey(c echo.Context) error {
	v, w := requestVisitor(c), locale.KeysIn(requestVisitor(c).Lang)
	if _, err := c.FormParams(); err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "this is no form")
	}
	p := page.KeysView{Name: strings.TrimSpace(c.FormValue("name")), Scopes: c.Request().PostForm["scope"]}
	scopes, err := account.ParseScopes(p.Scopes)
	if err != nil {
		p.Fault = w.NoScope
	}
	if auth.CheckName(p.Name) != nil {
		p.Fault = w.BadName
	}
	if p.Fault != "" {
		return s.keysPage(c, http.StatusUnprocessableEntity, p)
	}
	if err := s.issueKey(c.Request().Context(), v, p.Name, scopes); err != nil {
		return err
	}
	return redirectTo(c, Root+"/keys")
}

// issueKey creates a key, which the next page shows once.
func (s *ConsoleService) issueKey(ctx context.Context, v visitor, name string, scopes []account.KeyScope) error {
	_, plain, err := s.Keys.IssueKey(ctx, v.Org.ID, name, scopes, v.auditActor())
	if err == nil {
		s.once.putSecret(v.Session, onceKey, plain)
	}
	return err
}
