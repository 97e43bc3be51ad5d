package service

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"munadi/appliance/csvcell"
	"munadi/store/call"
)

// resultColumns are the first columns of a campaign's results; variables and answers follow.
var resultColumns = []string{
	"call_id", "phone_number", "status", "failure_reason", "attempt_number", "scheduled_at", "started_at", "ended_at",
	"total_duration", "ended_by",
}

// WriteResults writes all calls of a campaign as CSV, oldest first: a column for each variable (variables.NAME) and for
// each value of the reports (report.NAME).
func (u *UseCases) WriteResults(ctx context.Context, w io.Writer, orgID, id string) error {
	variables, answers := map[string]bool{}, map[string]bool{}
	err := u.visitCalls(ctx, orgID, id, func(c call.Call) error {
		for name := range c.Variables {
			variables[name] = true
		}
		for name := range reportValues(c) {
			answers[name] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	names, slots := slices.Sorted(maps.Keys(variables)), slices.Sorted(maps.Keys(answers))
	out := csv.NewWriter(w)
	header := slices.Clone(resultColumns)
	for _, name := range names {
		header = append(header, csvcell.GuardCell("variables."+name))
	}
	for _, name := range slots {
		header = append(header, csvcell.GuardCell("report."+name))
	}
	if err := out.Write(header); err != nil {
		return err
	}
	err = u.visitCalls(ctx, orgID, id, func(c call.Call) error { return out.Write(resultRow(c, names, slots)) })
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// resultRow is a call as a row of the results.
func resultRow(c call.Call, names, slots []string) []string {
	row := []string{
		c.ID, c.PhoneNumber, string(c.Status), string(call.ReasonOf(c.Failure)), strconv.Itoa(max(c.Attempt.Number, 1)),
		cellTime(&c.ScheduledAt), cellTime(c.StartedAt), cellTime(c.EndedAt), "", string(c.EndedBy),
	}
	if c.Duration != nil {
		row[8] = strconv.Itoa(*c.Duration)
	}
	for _, name := range names {
		value, given := c.Variables[name]
		row = append(row, cellValue(value, given))
	}
	values := reportValues(c)
	for _, name := range slots {
		value, given := values[name]
		row = append(row, cellValue(value, given))
	}
	for i, cell := range row[2:] {
		row[i+2] = csvcell.GuardCell(cell)
	}
	return row
}

// cellTime is a time in UTC, empty without one.
func cellTime(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z07:00")
}

// cellValue is a text as it is and any other value as JSON; empty without one.
func cellValue(value any, given bool) string {
	if text, ok := value.(string); ok || !given || value == nil {
		return text
	}
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(data)
}

// reportValues are the values of a call's report; nil without one.
func reportValues(c call.Call) map[string]any {
	var values map[string]any
	if len(c.Report) == 0 || json.Unmarshal(c.CurrentReport(), &values) != nil {
		return nil
	}
	return values
}
