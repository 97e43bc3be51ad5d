package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
)

// note adds what the visitor did to the audit trail of the organization, where no fact of the store does so by itself.
func (s *Service) note(c echo.Context, action, subject, detail string) error {
	v := visiting(c)
	return s.Store.Note(c.Request().Context(), v.Org.ID, store.Change{
		At: s.Now().UTC(), Actor: v.actor(), Action: action, Subject: subject, Note: detail,
	})
}
