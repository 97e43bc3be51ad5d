package audit

import (
	"strings"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/evidence"
	"munadi/store"
	"munadi/ui/audit"
	"munadi/ui/locale"
)

// exportChains exports the audit trail, or its entries that match the filter, with their hashes and a signature: what
// munadi audit verify checks.
func (s handlers) exportChains(c echo.Context) error {
	v, filter := kit.RequestVisitor(c), strings.TrimSpace(c.QueryParam("q"))
	who, err := s.LoadActorNames(c)
	if err != nil {
		return err
	}
	var selected evidence.AuditSelection
	if filter != "" {
		table := audit.DeclareTable(v.Lang)
		selected.Words = map[string]string{"search": filter}
		selected.Keep = func(e store.AuditEntry) bool {
			return len(table.SearchRows(auditLines(who, []store.AuditEntry{e}), filter, kit.ContainsFold)) > 0
		}
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "application/x-ndjson")
	h.Set(echo.HeaderContentDisposition, `attachment; filename="audit-`+v.Org.ID+`.jsonl"`)
	h.Set(echo.HeaderCacheControl, "no-store")
	return evidence.WriteAudit(c.Request().Context(), c.Response(), s.Store, s.Signer, v.Org.ID, selected, s.Now())
}

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
			lines := table.SearchRows(auditLines(who, found.Items), filter, kit.ContainsFold)
			return store.ListPage[audit.Line]{Items: lines, Next: found.Next}, err
		},
	})
}
