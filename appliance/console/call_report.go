package console

import (
	"encoding/base64"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/csvcell"
)

// importReport exports the result of each row of a campaign as CSV: its call id, or its faults.
func (s *ConsoleService) importReport(c echo.Context) error {
	source, err := base64.StdEncoding.DecodeString(c.FormValue("source"))
	if err != nil || len(source) > mostFile {
		return refuseForm("the form is out of date")
	}
	ctx, v := c.Request().Context(), requestVisitor(c)
	k, err := s.newBookingContext(ctx, v)
	if err != nil {
		return err
	}
	rows, fault := readCampaign(source, k.words)
	if fault != "" {
		return refuseForm(fault)
	}
	checked, err := s.UseCases.CheckBookings(ctx, requestCaller(c), k.parseRows(rows, source))
	if err != nil {
		return err
	}
	out := beginCSV(c, "campaign-report.csv")
	_ = out.Write([]string{"row", "phone_number", "scenario_id", "call_id", "problem"}) // out.Error reports it below
	for i, f := range rows {
		row, problem := k.importRow(i, f, checked[i]), ""
		if len(checked[i].Violations) > 0 {
			problem = row.Say
		}
		_ = out.Write([]string{
			strconv.Itoa(row.Number), f.Number, csvcell.GuardCell(f.Scenario), row.CallID, csvcell.GuardCell(problem),
		})
	}
	out.Flush()
	return out.Error()
}
