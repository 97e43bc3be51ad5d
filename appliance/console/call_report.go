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
	out := beginCSV(c, "campaign-report.csv")
	_ = out.Write([]string{"row", "phone_number", "scenario_id", "call_id", "problem"}) // out.Error reports it below
	for i, w := range rows {
		number, id, problem := i+2, "", "" // rows are numbered as in the file, with the header as 1
		if booked, err := s.Store.FindReceipt(ctx, v.Org.ID, rowKey(fileKey(source), number), k.now); err != nil {
			return endBrokenCSV(out, err)
		} else if booked != nil {
			id = booked.CallID
		} else if _, faults := k.buildCall(w); len(faults) > 0 {
			problem = joinFaults(faults)
		}
		_ = out.Write([]string{strconv.Itoa(number), w.Number, csvcell.GuardCell(w.Scenario), id, csvcell.GuardCell(problem)})
	}
	out.Flush()
	return out.Error()
}
