package console

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/csvcell"
	"munadi/store/callrules"
	"munadi/ui/locale"
	"munadi/ui/page"
)

const (
	maxSuppressionFile = 16 << 20 // bytes
	maxRefusedShown    = 200
)

// suppressionColumns are the CSV columns; a file without a header line has them in this order, and may leave out the
// last ones.
var suppressionColumns = []string{"phone_number", "reason", "until"}

// exportSuppressions exports the whole list as CSV, in the format of the import.
func (s *ConsoleService) exportSuppressions(c echo.Context) error {
	csvHead(c, "suppressions.csv")
	out := csv.NewWriter(c.Response())
	if err := out.Write(append(slices.Clone(suppressionColumns), "source", "created_at")); err != nil {
		return err
	}
	var failed error
	err := s.eachSuppression(c.Request().Context(), requestVisitor(c).Org.ID, func(e callrules.SuppressionEntry) bool {
		until := ""
		if e.Until != nil {
			until = e.Until.UTC().Format(time.RFC3339)
		}
		failed = out.Write([]string{
			e.PhoneNumber, csvcell.GuardCell(e.Reason), until, e.Source, e.CreatedAt.UTC().Format(time.RFC3339),
		})
		return failed == nil
	})
	if err = errors.Join(err, failed); err != nil {
		return endBrokenCSV(out, err)
	}
	out.Flush()
	return out.Error()
}

// importSuppressions adds the valid entries of a CSV file and reports the others line by line.
func (s *ConsoleService) importSuppressions(c echo.Context) error {
	ctx, v := c.Request().Context(), requestVisitor(c)
	rules, err := s.Store.FindRules(ctx, v.Org.ID)
	if err != nil {
		return err
	}
	w := locale.SuppressionsIn(v.Lang)
	data, fault := readUpload(c, "file", w)
	report := page.SuppressReport{Fault: fault}
	var entries []callrules.SuppressionEntry
	if fault == "" {
		entries, report = s.readSuppressions(data, rules, w)
	}
	for i := range entries {
		entries[i].OrgID, entries[i].Source = v.Org.ID, "csv"
	}
	status := http.StatusOK
	if len(entries) == 0 {
		status = http.StatusUnprocessableEntity
	} else if err := s.Store.AddSuppressions(ctx, entries, v.auditActor(), s.Now().UTC()); err != nil {
		return err
	}
	return s.suppressionsPage(c, status, page.SuppressionsView{Report: &report})
}

// readUpload returns the content of a form's file; fault is a sentence if there is none or it cannot be read.
func readUpload(c echo.Context, field string, w locale.SuppressionsWords) (data []byte, fault string) {
	head, err := c.FormFile(field)
	if err != nil || head.Size == 0 {
		return nil, w.NoFile
	}
	if head.Size > maxSuppressionFile {
		return nil, w.TooBig
	}
	file, err := head.Open()
	if err != nil {
		return nil, w.NoFile
	}
	defer file.Close()
	if data, err = io.ReadAll(file); err != nil {
		return nil, w.NoFile
	}
	return data, ""
}

// readSuppressions parses a CSV file line by line.
func (s *ConsoleService) readSuppressions(
	data []byte, rules callrules.CallRules, w locale.SuppressionsWords,
) (entries []callrules.SuppressionEntry, report page.SuppressReport) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // byte order mark of spreadsheets
	if !utf8.Valid(data) {
		return nil, page.SuppressReport{Fault: w.NotUTF8}
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	order := suppressionColumns
	for first := true; ; first = false {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, page.SuppressReport{Fault: w.NotCSV}
		}
		if first && slices.Contains(record, suppressionColumns[0]) {
			order = record
			continue
		}
		line, _ := r.FieldPos(0)
		cells := cellsOf(order, record)
		entry, faults := s.suppressionOf(
			cells["phone_number"],
			csvcell.UnguardCell(cells["reason"]),
			cells["until"],
			rules,
			w,
		)
		if len(faults) == 0 {
			entries = append(entries, entry)
			continue
		}
		report.Refused++
		if report.More = report.Refused > maxRefusedShown; !report.More {
			report.Lines = append(report.Lines, page.RefusedLine{
				Line: line, Text: cells["phone_number"], Problem: firstOf(faults, "number", "reason", "until"),
			})
		}
	}
	if report.Added = len(entries); report.Added+report.Refused == 0 {
		report.Fault = w.Nothing
	}
	return entries, report
}

// cellsOf returns a line's cells by column.
func cellsOf(order, record []string) map[string]string {
	cells := map[string]string{}
	for i, value := range record {
		if i < len(order) {
			cells[strings.TrimSpace(order[i])] = strings.TrimSpace(value)
		}
	}
	return cells
}

// firstOf returns the first sentence in the order of the fields.
func firstOf(faults map[string]string, fields ...string) string {
	for _, field := range fields {
		if faults[field] != "" {
			return faults[field]
		}
	}
	return ""
}
