package console

import (
	"encoding/csv"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/csvcell"
	"munadi/store"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// exportPageSize is the number of records that an export reads at once.
const exportPageSize = 200

// exportAudit exports the audit trail, or its entries that match the filter, as CSV, newest first.
func (s *ConsoleService) exportAudit(c echo.Context) error {
	v, ctx, filter := requestVisitor(c), c.Request().Context(), strings.TrimSpace(c.QueryParam("q"))
	who, err := s.loadActorNames(c)
	if err != nil {
		return err
	}
	part, err := s.Store.AuditTrail(ctx, v.Org.ID, exportPageSize, "")
	if err != nil {
		return err
	}
	setCSVHeaders(c, "audit-"+v.Org.ID+".csv")
	c.Response().WriteHeader(http.StatusOK)
	w := csv.NewWriter(c.Response())
	_ = w.Write(locale.ColumnNames(v.Lang, "at", "actor", "who", "action", "subject", "detail")) // reported below
	for {
		for _, change := range part.Items {
			if line := who.auditLine(change); matchesAuditFilter(v.Lang, line, change, filter) {
				_ = w.Write(auditCells(change, line, v.Lang))
			}
		}
		if part.Next == "" || w.Error() != nil {
			break
		}
		if part, err = s.Store.AuditTrail(ctx, v.Org.ID, exportPageSize, part.Next); err != nil {
			return endBrokenCSV(w, err)
		}
	}
	w.Flush()
	return w.Error()
}

func auditCells(c store.AuditEntry, line page.AuditLine, l locale.Language) []string {
	row := []string{
		c.At.UTC().Format(time.RFC3339), c.Actor, line.Who, locale.ActionName(l, c.Action), line.Subject, line.Detail,
	}
	for i, cell := range row {
		row[i] = csvcell.GuardCell(cell)
	}
	return row
}
