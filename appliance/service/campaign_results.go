package service

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"munadi/appliance/csvcell"
	"munadi/store"
	"munadi/store/call"
	"munadi/store/jsontext"
)

// resultColumns are the first columns of a campaign's results; variables and answers follow.
var resultColumns = []string{
	"call_id", "phone_number", "status", "failure_reason", "attempt_number", "scheduled_at", "started_at", "ended_at",
	"total_duration", "ended_by", "direction",
}

// ResultNames return the display names of columns and values of a campaign's results. Without a function the keys are
// used.
type ResultNames struct {
	Column func(key string) string
	Value  func(c call.Call, key, value string) string
}

func (n ResultNames) columnName(key string) string {
	if n.Column == nil {
		return key
	}
	return n.Column(key)
}

func (n ResultNames) valueName(c call.Call, key, value string) string {
	if n.Value == nil || value == "" {
		return value
	}
	return n.Value(c, key, value)
}

// Prefixes of the columns of variables, of metadata and of answers.
const (
	VariableColumn = "variables."
	MetadataColumn = "metadata."
	AnswerColumn   = "report."
)

// maxMetadataColumns limits the columns of metadata keys, to those of the oldest calls. The calls have all of them.
const maxMetadataColumns = 200

// WriteResults writes all calls of a campaign as CSV, a row for each attempt and for each time that a person called
// back, oldest first: a column for each variable (variables.NAME), for each metadata key (metadata.NAME) and for each
// value of the reports (report.NAME).
func (u *UseCases) WriteResults(ctx context.Context, w io.Writer, orgID, id string, called ResultNames) error {
	columns, err := u.ListResultColumns(ctx, orgID, id)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	writeRow := func(cells []string, from int) error {
		for i := range cells[from:] {
			cells[from+i] = csvcell.GuardCell(cells[from+i])
		}
		return out.Write(cells)
	}
	if err := writeRow(called.ResultHeader(columns), 0); err != nil {
		return err
	}
	err = u.VisitResults(ctx, orgID, id, columns, called, func(cells []string) error {
		return writeRow(cells, firstGuarded)
	})
	if err != nil {
		return err
	}
	return csvcell.EndFile(ctx, out)
}

// firstGuarded is the first column whose cells are guarded against formulas: ids and numbers before it are none.
const firstGuarded = 2

// ResultHeader returns the display names of columns.
func (n ResultNames) ResultHeader(columns []string) []string {
	header := make([]string, len(columns))
	for i, key := range columns {
		header[i] = n.columnName(key)
	}
	return header
}

// VisitResults calls visit with the cells of each call of a campaign, oldest first, in the columns of
// [UseCases.ListResultColumns]. Times are in UTC.
func (u *UseCases) VisitResults(
	ctx context.Context, orgID, id string, columns []string, called ResultNames, visit func(cells []string) error,
) error {
	return u.visitCalls(ctx, orgID, campaignCalls(id), func(c call.Call) error {
		return visit(resultRow(c, columns, called))
	})
}

// ListResultColumns returns the keys of all columns of a campaign's results.
func (u *UseCases) ListResultColumns(ctx context.Context, orgID, id string) ([]string, error) {
	variables, metadata, answers := map[string]bool{}, map[string]bool{}, map[string]bool{}
	err := u.visitCalls(ctx, orgID, campaignCalls(id), func(c call.Call) error {
		for name := range c.Variables {
			variables[VariableColumn+name] = true
		}
		for _, name := range slices.Sorted(maps.Keys(c.Metadata)) {
			if len(metadata) < maxMetadataColumns {
				metadata[MetadataColumn+name] = true
			}
		}
		for name := range reportValues(c) {
			answers[AnswerColumn+name] = true
		}
		return nil
	})
	columns := slices.Clone(resultColumns)
	for _, keys := range []map[string]bool{variables, metadata, answers} {
		columns = append(columns, slices.Sorted(maps.Keys(keys))...)
	}
	return columns, err
}

// campaignCalls lists all calls of a campaign, oldest first.
func campaignCalls(id string) store.CallFilter {
	return store.CallFilter{CampaignID: id, Ascending: true}
}

// resultRow returns a call as a row of the results with these columns.
func resultRow(c call.Call, columns []string, called ResultNames) []string {
	row := []string{
		c.ID, c.PhoneNumber, string(c.Status), string(call.ReasonOf(c.Failure)), strconv.Itoa(max(c.Attempt.Number, 1)),
		jsontext.FormatTimeOf(&c.ScheduledAt), jsontext.FormatTimeOf(c.StartedAt), jsontext.FormatTimeOf(c.EndedAt), "",
		string(c.EndedBy), string(c.Way()),
	}
	if c.Duration != nil {
		row[8] = strconv.Itoa(*c.Duration)
	}
	values := reportValues(c)
	for _, key := range columns[len(row):] {
		row = append(row, resultCell(c, values, key))
	}
	for i, cell := range row[2:] {
		row[i+2] = called.valueName(c, columns[i+2], cell)
	}
	return row
}

// resultCell returns a call's cell, with the report's values, in the column of a variable, metadata key or answer.
func resultCell(c call.Call, values map[string]any, key string) string {
	if name, isMetadata := strings.CutPrefix(key, MetadataColumn); isMetadata {
		return c.Metadata[name]
	}
	value, given := c.Variables[strings.TrimPrefix(key, VariableColumn)]
	if name, isAnswer := strings.CutPrefix(key, AnswerColumn); isAnswer {
		value, given = values[name]
	}
	return cellValue(value, given)
}

// cellValue returns a text unchanged and any other value as JSON; empty without one.
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

// reportValues returns the values of a call's report; nil without one.
func reportValues(c call.Call) map[string]any {
	var values map[string]any
	if len(c.Report) == 0 || json.Unmarshal(c.CurrentReport(), &values) != nil {
		return nil
	}
	return values
}
