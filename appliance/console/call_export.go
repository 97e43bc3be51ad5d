package console

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/store/call"
)

// mostExported limits the rows of a CSV file.
const mostExported = 100_000

// exportColumns returns the columns of the CSV file, named as in the API.
func exportColumns() []string {
	return []string{
		"id", "phone_number", "scenario_id", "status", "reason", "created_at", "scheduled_at", "started_at", "ended_at",
		"total_duration", "attempt_number", "max_attempts", "retry_chain_id", "report",
	}
}

// exportCalls exports the filtered list, all of its pages, as CSV.
func (s *ConsoleService) exportCalls(c echo.Context) error {
	v, ctx := requestVisitor(c), c.Request().Context()
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	filter, zone := callsFilter(c), zoneOf(rules)
	found, err := s.findCalls(ctx, v.Org.ID, filter, zone, "", pageOf)
	if err != nil {
		return err
	}
	out := beginCSV(c, "calls-"+s.Now().In(zone).Format(dayForm)+".csv")
	if err := out.Write(exportColumns()); err != nil {
		return err
	}
	incomplete := false
	for n := 0; ; n += len(found.Items) {
		incomplete = incomplete || found.Incomplete
		for _, one := range found.Items {
			if err := out.Write(exportRow(one)); err != nil {
				return err
			}
		}
		if found.Next == "" || n+len(found.Items) >= mostExported {
			break
		}
		if found, err = s.findCalls(ctx, v.Org.ID, filter, zone, found.Next, pageOf); err != nil {
			return endBrokenCSV(out, err)
		}
	}
	if incomplete { // some records cannot be read
		return endBrokenCSV(out, nil)
	}
	out.Flush()
	return out.Error()
}

func exportRow(c call.Call) []string {
	duration := ""
	if c.Duration != nil {
		duration = strconv.Itoa(*c.Duration)
	}
	return []string{
		c.ID,
		c.PhoneNumber,
		c.ScenarioID,
		string(c.Status),
		string(call.ReasonOf(c.Failure)),
		formatInstant(&c.CreatedAt),
		formatInstant(
			&c.ScheduledAt,
		),
		formatInstant(c.StartedAt),
		formatInstant(c.EndedAt),
		duration,
		strconv.Itoa(max(c.Attempt.Number, 1)),
		strconv.Itoa(max(c.Attempt.Max, 1)),
		c.Attempt.ChainID,
		string(c.CurrentReport()),
	}
}

// formatInstant formats a time as the API does; empty for nil.
func formatInstant(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
