package audit

import (
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/ui/audit"
	"munadi/ui/locale"
)

// exportAudit exports the audit trail, or its entries that match the filter, as CSV, newest first.
func (s handlers) exportAudit(c echo.Context) error {
	v, ctx, filter := kit.RequestVisitor(c), c.Request().Context(), strings.TrimSpace(c.QueryParam("q"))
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	columns := locale.ColumnNames(v.Lang, "at", "actor", "who", "action", "subject", "detail")
	read := func(cursor string) (store.ListPage[store.AuditEntry], error) {
		return s.Store.AuditTrail(ctx, v.Org.ID, kit.MaxStorePage, cursor)
	}
	return kit.SendPagedCSV(c, "audit-"+v.Org.ID+".csv", columns, read, func(e store.AuditEntry) []string {
		line := auditLine(who, e)
		if !matchesAuditFilter(v.Lang, line, e, filter) {
			return nil
		}
		at := e.At.UTC().Format(time.RFC3339)
		return []string{at, e.Actor, line.Who, audit.ActionName(v.Lang, e.Action), line.Subject, line.Detail}
	})
}
