package console

import (
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/csvcell"
	"munadi/appliance/service"
	"munadi/store/call"
)

// exportColumns returns the columns of the CSV file by their keys in the API: the call's, one for each answer, and the
// whole report.
func exportColumns(labels scenarioLabels, scenarioID string) []string {
	columns := []string{
		"id", "phone_number", "scenario_id", "status", "reason", "created_at", "scheduled_at", "started_at", "ended_at",
		"total_duration", "attempt_number", "max_attempts", "retry_chain_id",
	}
	for _, plan := range labels.scenarios {
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
func (s *ConsoleService) exportCalls(c echo.Context) error {
	v, ctx := kit.RequestVisitor(c), c.Request().Context()
	k, err := s.newBookingContext(c)
	if err != nil {
		return err
	}
	filter, zone, labels := callsFilter(c), k.zone, k.scenarioLabels()
	columns := exportColumns(labels, filter.Scenario)
	found, err := s.findCalls(ctx, v.Org.ID, filter, zone, "", maxStorePage)
	if err != nil {
		return err
	}
	out := kit.BeginCSV(c, "calls-"+s.Now().In(zone).Format(dayLayout)+".csv")
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
		if found, err = s.findCalls(ctx, v.Org.ID, filter, zone, found.Next, maxStorePage); err != nil {
			return kit.EndBrokenCSV(out, err)
		}
	}
	return csvcell.EndFile(ctx, out)
}

// exportHeader returns the display names of the columns.
func exportHeader(labels scenarioLabels, columns []string, scenarioID string) []string {
	header := make([]string, len(columns))
	for i, key := range columns {
		header[i] = csvcell.GuardCell(labels.columnLabel(scenarioID, key))
	}
	return header
}

// exportRow returns a call's cells with display names of states and answers.
func exportRow(c call.Call, labels scenarioLabels, columns []string) []string {
	duration := ""
	if c.Duration != nil {
		duration = strconv.Itoa(*c.Duration)
	}
	row := []string{
		c.ID, c.PhoneNumber, csvcell.GuardCell(scenarioName(labels.scenarios, c.ScenarioID)),
		labels.cellLabel(c, "status", string(c.Status)), labels.cellLabel(c, "reason", string(call.ReasonOf(c.Failure))),
		formatTimestamp(&c.CreatedAt), formatTimestamp(&c.ScheduledAt), formatTimestamp(c.StartedAt),
		formatTimestamp(c.EndedAt),
		duration, strconv.Itoa(max(c.Attempt.Number, 1)), strconv.Itoa(max(c.Attempt.Max, 1)), c.Attempt.ChainID,
	}
	answers := map[string]string{}
	for _, slot := range labels.reportSlots(c) {
		if slot.Known {
			answers[service.AnswerColumn+slot.Name] = csvcell.GuardCell(slot.Value)
		}
	}
	for _, key := range columns[len(row) : len(columns)-1] {
		row = append(row, answers[key])
	}
	return append(row, string(c.CurrentReport()))
}

// formatTimestamp formats a time as the API does; empty for nil.
func formatTimestamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
