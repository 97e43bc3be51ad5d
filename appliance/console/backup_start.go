package console

import (
	"github.com/labstack/echo/v4"

	"munadi/store"
	"munadi/ui/system"
)

// startBackup starts a backup in the background.
func (s *ConsoleService) startBackup(c echo.Context) error {
	v := requestVisitor(c)
	line := store.AuditEntry{At: s.Now().UTC(), Actor: v.auditActor(), Action: "backup.make"}
	if err := s.Store.AddAudit(c.Request().Context(), v.Org.ID, line); err != nil {
		return err
	}
	s.BackUp()
	flashMessage(c, system.BackupBegun.In(v.Lang))
	return redirectTo(c, Root+"/system#backups")
}
