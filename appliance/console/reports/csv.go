package reports

import (
	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/ui/reports"
)

// exportReports exports the rows of a report as CSV.
func (s handlers) exportReports(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	plans, err := s.ListScenariosFor(ctx, v)
	if err != nil {
		return err
	}
	q := s.readReportQuery(c, s.OrganizationZone(c))
	r, err := s.readReport(ctx, v.Org.ID, q, plans)
	if err != nil {
		return err
	}
	var rows []reports.Row
	for i, count := range r.periods {
		rows = append(rows, reportRow(periodName(r, i, q), count))
	}
	rows = append(rows, scenarioRows(r, plans, v.Lang)...)
	table := reports.DeclareTable(v.Lang, reports.Period)
	return kit.SendCSV(c, "reports", table.ExportKeys(), rows, table.ExportRow)
}

// exportCallers exports the rows of the caller numbers as CSV.
func (s handlers) exportCallers(c echo.Context) error {
	v, q := kit.RequestVisitor(c), s.readReportQuery(c, s.OrganizationZone(c))
	r, err := s.readReport(c.Request().Context(), v.Org.ID, q, nil)
	if err != nil {
		return err
	}
	table := reports.DeclareCallers(v.Lang)
	return kit.SendCSV(c, "caller-numbers", table.ExportKeys(), callerRows(r), table.ExportRow)
}
