package console

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/org"
	"munadi/ui/page"
	"munadi/ui/text"
)

// createKey makes a key for the organization.
func (s *Service) createKey(c echo.Context) error {
	v, w := visiting(c), text.KeysIn(visiting(c).Lang)
	if _, err := c.FormParams(); err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "this is no form")
	}
	p := page.Keys{Name: strings.TrimSpace(c.FormValue("name")), Scopes: c.Request().PostForm["scope"]}
	scopes, err := org.ParseScopes(p.Scopes)
	if err != nil {
		p.Fault = w.NoScope
	}
	if auth.CheckName(p.Name) != nil {
		p.Fault = w.BadName
	}
	if p.Fault != "" {
		return s.keysPage(c, http.StatusUnprocessableEntity, p)
	}
	if err := s.issue(c.Request().Context(), v, p.Name, scopes); err != nil {
		return err
	}
	return see(c, Root+"/keys")
}

// issue makes a key, which the next page shows once, and notes it in the audit trail.
func (s *Service) issue(ctx context.Context, v visitor, name string, scopes []org.Scope) error {
	key, plain, err := s.Keys.Issue(ctx, v.Org.ID, name, scopes)
	if err != nil {
		return err
	}
	s.once.put(v.Session, onceKey, plain)
	return s.Store.Note(ctx, v.Org.ID, store.Change{
		At: s.Now().UTC(), Actor: v.actor(), Action: "key.create", Subject: key.Prefix, Note: name + ": " + org.Join(scopes),
	})
}
