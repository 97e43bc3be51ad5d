package calls

import (
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/booking"
	"munadi/appliance/console/kit"
	"munadi/appliance/csvcell"
	"munadi/appliance/service"
	"munadi/store/call"
)

// exportColumns returns the columns of the CSV file by their keys in the API: the call's, one for each answer, and the
// whole report.
func exportColumns(labels kit.ScenarioLabels, scenarioID string) []string {
	columns := []string{
		"id", "phone_number", "scenario_id", "status", "reason", "created_at", "scheduled_at", "started_at", "ended_at",
		"total_duration", "attempt_number", "max_attempts", "retry_chain_id",
	}
	for _, plan := range labels.Scenarios {
		for _, property := range plan.ReportProperties() {
			key := service.AnswerColumn + property
			if (scenarioID == "" || plan.ID == scenarioID) && !slices.Contains(columns, key) {
				columns = append(columns, key)
			}
		}
	}
	return append(columns, "report")
}

// exportCalls exports the whole filtered list as CSV, whatever its length: it is read page by page while it is sent.
func (s handlers) exportCalls(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := booking.NewContext(s.Console, c)
	if err != nil {
		return err
	}
	filter, zone, labels := kit.CallsFilter(c), k.Zone, k.Labels()
	columns := exportColumns(labels, filter.Scenario)
	found, err := s.findCalls(ctx, v.Org.ID, filter, zone, "", kit.MaxStorePage)
	if err != nil {
		return err
	}
	out := kit.BeginCSV(c, "calls-"+s.Now().In(zone).Format(kit.DayLayout)+".csv")
	if err := out.Write(exportHeader(labels, columns, filter.Scenario)); err != nil {
		return err
	}
	for {
		for _, one := range found.Items {
			if err := out.Write(exportRow(one, labels, columns)); err != nil {
				return err
			}
		}
		if found.Next == "" {
			break
		}
		if found, err = s.findCalls(ctx, v.Org.ID, filter, zone, found.Next, kit.MaxStorePage); err != nil {
			return kit.EndBrokenCSV(out, err)
		}
	}
	return csvcell.EndFile(ctx, out)
}

// exportHeader returns the display names of the columns.
func exportHeader(labels kit.ScenarioLabels, columns []string, scenarioID string) []string {
	header := make([]string, len(columns))
	for i, key := range columns {
		header[i] = csvcell.GuardCell(labels.ColumnLabel(scenarioID, key))
	}
	return header
}

// exportRow returns a call's cells with display names of states and answers.
func exportRow(c call.Call, labels kit.ScenarioLabels, columns []string) []string {
	duration := ""
	if c.Duration != nil {
		duration = strconv.Itoa(*c.Duration)
	}
	row := []string{
		c.ID, c.PhoneNumber, csvcell.GuardCell(kit.ScenarioName(labels.Scenarios, c.ScenarioID)),
		labels.CellLabel(c, "status", string(c.Status)), labels.CellLabel(c, "reason", string(call.ReasonOf(c.Failure))),
		kit.FormatTimestamp(&c.CreatedAt), kit.FormatTimestamp(&c.ScheduledAt), kit.FormatTimestamp(c.StartedAt),
		kit.FormatTimestamp(c.EndedAt),
		duration, strconv.Itoa(max(c.Attempt.Number, 1)), strconv.Itoa(max(c.Attempt.Max, 1)), c.Attempt.ChainID,
	}
	answers := map[string]string{}
	for _, slot := range labels.ReportSlots(c) {
		if slot.Known {
			answers[service.AnswerColumn+slot.Name] = csvcell.GuardCell(slot.Value)
		}
	}
	for _, key := range columns[len(row) : len(columns)-1] {
		row = append(row, answers[key])
	}
	return append(row, string(c.CurrentReport()))
}
