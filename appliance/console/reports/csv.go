package reports

import (
	"encoding/csv"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/csvcell"
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
	out := kit.BeginCSV(c, "reports.csv")
	_ = out.Write([]string{
		reports.Period.In(v.Lang), reports.Ended.In(v.Lang), reports.Reached.In(v.Lang), reports.Percent.In(v.Lang),
		reports.Confirmed.In(v.Lang), reports.Unreached.In(v.Lang), reports.Failed.In(v.Lang), reports.Cancelled.In(v.Lang),
		reports.Waiting.In(v.Lang),
	})
	for i, count := range r.periods {
		writeReportRow(out, reportRow(periodName(r, i, q), count))
	}
	for _, one := range r.scenarios {
		writeReportRow(out, reportRow(kit.ScenarioName(plans, one.id), one.ReportCount))
	}
	return csvcell.EndFile(ctx, out)
}

func writeReportRow(out *csv.Writer, row reports.Row) {
	cells := []string{csvcell.GuardCell(row.Name)}
	for i, n := range []int{row.Ended, row.Reached, row.Confirmed, row.Unreached, row.Failed, row.Cancelled, row.Waiting} {
		if i == 2 {
			cells = append(cells, row.Percent)
		}
		cells = append(cells, strconv.Itoa(n))
	}
	_ = out.Write(cells) // a failed connection is reported by Flush
}
