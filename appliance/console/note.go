package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
)

// addAudit adds what the visitor did to the audit trail of the organization, where no fact of the store does so by itself.
func (s *ConsoleService) addAudit(c echo.Context, action, subject, detail string) error {
	v := requestVisitor(c)
	return s.Store.AddAudit(c.Request().Context(), v.Org.ID, store.AuditEntry{
		At: s.Now().UTC(), Actor: v.auditActor(), Action: action, Subject: subject, Note: detail,
	})
}
