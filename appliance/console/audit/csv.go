package audit

import (
	"strings"

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
	table := audit.DeclareTable(v.Lang)
	return kit.SendTableCSV(c, kit.TableFile[audit.Line]{
		Name: "audit-" + v.Org.ID, Table: table, Header: locale.ColumnNames(v.Lang, table.ExportKeys()...),
		Read: func(cursor string) (store.ListPage[audit.Line], error) {
			found, err := s.Store.AuditTrail(ctx, v.Org.ID, kit.MaxStorePage, cursor)
			lines := table.SearchRows(auditLines(who, found.Items), filter)
			return store.ListPage[audit.Line]{Items: lines, Next: found.Next}, err
		},
	})
}
