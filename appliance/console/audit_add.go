package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
)

// addAudit adds the visitor's action to the organization's audit trail, for actions that the store does not record
// itself.
func (s *ConsoleService) addAudit(c echo.Context, action, subject, detail string) error {
	v := requestVisitor(c)
	return s.Store.AddAudit(c.Request().Context(), v.Org.ID, store.AuditEntry{
		At: s.Now().UTC(), Actor: v.auditActor(), Action: action, Subject: subject, Note: detail,
	})
}
