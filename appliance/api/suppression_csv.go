package api

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api/jsonbind"
	"munadi/appliance/apimodel"
	"munadi/appliance/csvcell"
	"munadi/store/callrules"
)

// importResult is the answer to a CSV import.
type importResult struct {
	Imported int `json:"imported"`
}

// importSuppressions imports a CSV file: all of its entries, or none when a line is invalid.
func (s *APIService) importSuppressions(c echo.Context) error {
	data, err := readBody(c, maxCSV)
	if err != nil {
		return err
	}
	entries, err := readSuppressions(data, requestPrincipal(c).OrgID, s.Now())
	if err != nil {
		return err
	}
	if err := s.Store.AddSuppressions(c.Request().Context(), entries, auditActor(c), s.Now()); err != nil {
		return err
	}
	return writeSuccess(c, http.StatusCreated, importResult{len(entries)})
}

// columns are the CSV columns; a file without a header line has them in this order, and may leave out the last ones.
var columns = []string{"phone_number", "reason", "until"}

// readSuppressions parses a CSV file. Violations are named by their line: lines.3.phone_number.
func readSuppressions(data []byte, orgID string, now time.Time) ([]callrules.SuppressionEntry, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // byte order mark of spreadsheets
	if !utf8.Valid(data) {
		return nil, &jsonbind.SyntaxError{Message: "The file is not UTF-8"}
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	var (
		found   jsonbind.FieldViolations
		entries []callrules.SuppressionEntry
		order   = columns
	)
	for first := true; ; first = false {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return entries, newValidationError(found)
		}
		if err != nil {
			return nil, &jsonbind.SyntaxError{Message: fmt.Sprintf("The file is not CSV: %v", err)}
		}
		if first && slices.Contains(record, columns[0]) {
			order = record
			continue
		}
		line, _ := r.FieldPos(0)
		path := fmt.Sprintf("lines.%d", line)
		b := entryOf(path, order, record, &found)
		b.validateSuppression(path, now, &found)
		entries = append(entries, b.newSuppression(orgID, sourceFile, now))
	}
}

// entryOf parses one line.
func entryOf(path string, order, record []string, found *jsonbind.FieldViolations) suppressionBody {
	var b suppressionBody
	for i, text := range record {
		text = strings.TrimSpace(text)
		if i >= len(order) || text == "" {
			continue
		}
		switch order[i] {
		case columns[0]:
			b.PhoneNumber = text
		case columns[1]:
			b.Reason = csvcell.UnguardCell(text)
		case columns[2]:
			at, ok := jsonbind.ParseTime(text)
			if !ok {
				found.AddViolation(path+".until", "must be an RFC 3339 date-time with a time zone offset")
			}
			b.Until = &at
		}
	}
	return b
}

// suppressionWriter writes the suppression list as CSV.
type suppressionWriter struct {
	out    *csv.Writer
	headed bool
}

func newSuppressionWriter(w io.Writer) *suppressionWriter {
	return &suppressionWriter{out: csv.NewWriter(w)}
}

func (w *suppressionWriter) writeSuppressions(entries []callrules.SuppressionEntry) error {
	if !w.headed {
		w.headed = true
		if err := w.out.Write(append(slices.Clone(columns), "source", "created_at")); err != nil {
			return err
		}
	}
	for _, e := range entries {
		until := ""
		if e.Until != nil {
			until = apimodel.Timestamp(*e.Until).String()
		}
		record := []string{
			e.PhoneNumber,
			csvcell.GuardCell(e.Reason),
			until,
			e.Source,
			apimodel.Timestamp(e.CreatedAt).String(),
		}
		if err := w.out.Write(record); err != nil {
			return err
		}
	}
	w.out.Flush()
	return w.out.Error()
}
