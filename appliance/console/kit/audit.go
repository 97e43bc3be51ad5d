package kit

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
)

// AddAudit adds the visitor's action to the organization's audit trail, for actions that the store does not record
// itself.
func (s *Console) AddAudit(c echo.Context, action, subject, detail string) error {
	v := RequestVisitor(c)
	return s.Store.AddAudit(c.Request().Context(), v.Org.ID, store.AuditEntry{
		At: s.Now().UTC(), Actor: v.AuditActor(), Action: action, Subject: subject, Note: detail,
	})
}
