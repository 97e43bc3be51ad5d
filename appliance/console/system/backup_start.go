package system

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/ui/system"
)

// startBackup starts a backup in the background.
func (s handlers) startBackup(c echo.Context) error {
	v := kit.RequestVisitor(c)
	line := store.AuditEntry{At: s.Now().UTC(), Actor: v.AuditActor(), Action: "backup.make"}
	if err := s.Store.AddAudit(c.Request().Context(), v.Org.ID, line); err != nil {
		return err
	}
	s.BackUp()
	return kit.RedirectSaying(c, kit.Root+"/system#backups", system.BackupBegun.In(v.Lang))
}
