package console

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/errgroup"

	"munadi/appliance/recovery"
	"munadi/store"
	"munadi/store/call"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// Limits of a campaign file.
const (
	mostRows      = 2000
	rowsAtOnce    = 64
	mostFile      = 2 << 20 // bytes
	metadataField = "metadata."
)

// importForm shows the upload form of a campaign.
func (s *ConsoleService) importForm(c echo.Context) error {
	return s.importPage(c, http.StatusOK, page.ImportView{})
}

func (s *ConsoleService) importPage(c echo.Context, status int, p page.ImportView) error {
	w := locale.CallsIn(requestVisitor(c).Lang)
	title := w.ImportTitle
	if len(p.Rows) > 0 {
		title = w.ReportTitle
	}
	p.ConsolePage = s.consoleFrame(c, layout.Calls, title)
	p.Path = page.CallsPath + "/import" // the language and theme links cannot post the file again
	p.Styles = append(p.Styles, "css/console-calls.css")
	return renderPage(c, status, page.ImportPage(p))
}

// checkImport validates every row of a campaign file and books nothing.
func (s *ConsoleService) checkImport(c echo.Context) error {
	source, err := campaignFile(c)
	if err != nil {
		return err
	}
	k, err := s.newBookingContext(c.Request().Context(), requestVisitor(c))
	if err != nil {
		return err
	}
	rows, fault := readCampaign(source, k.words)
	if fault != "" {
		return s.importPage(c, http.StatusUnprocessableEntity, page.ImportView{Fault: fault})
	}
	p := page.ImportView{Source: base64.StdEncoding.EncodeToString(source)}
	for i, w := range rows {
		made, faults := k.buildCall(w)
		row := importRow(i, made, w, k)
		row.State, row.Say = "scheduled", k.words.Fine
		if len(faults) > 0 {
			row.State, row.Say, row.At = "failed", joinFaults(faults), nil
		} else if p.Good++; s.willBeHeldBack(c, made) {
			row.State, row.Say = "warn", k.words.FineButSuppressed
		}
		p.Rows = append(p.Rows, row)
	}
	p.Sum = fillCounts(k.words.Summary, "good", p.Good, "bad", len(rows)-p.Good)
	return s.importPage(c, http.StatusOK, p)
}

// willBeHeldBack reports whether the number of a call is on the suppression list. An unreadable list does not stop
// the report: the scheduler checks again when the call is due.
func (s *ConsoleService) willBeHeldBack(c echo.Context, due call.Call) bool {
	entry, err := s.Store.FindSuppression(c.Request().Context(), due.OrgID, due.PhoneNumber, due.ScheduledAt)
	return err == nil && entry != nil
}

// bookImport books the valid rows of a campaign file. Each row has an idempotency record, so that the same file
// again, or a booking that was interrupted, books no row twice within [store.KeepReceipts].
func (s *ConsoleService) bookImport(c echo.Context) error {
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
		return s.importPage(c, http.StatusUnprocessableEntity, page.ImportView{Fault: fault})
	}
	p, already, err := s.bookRows(ctx, v, k, rows, fileKey(source))
	if err != nil {
		return err
	}
	p.Sum = fillCounts(k.words.DoneSummary, "booked", p.Good, "already", already, "bad", len(rows)-p.Good-already)
	p.Source = base64.StdEncoding.EncodeToString(source)
	return s.importPage(c, http.StatusOK, p)
}

// fileKey returns a hash of the file for the idempotency keys of its rows.
func fileKey(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:16])
}

// bookRows books rows concurrently, since the store commits concurrent writes together (group commit); the report
// keeps the order of the rows.
func (s *ConsoleService) bookRows(
	ctx context.Context, v visitor, k bookingContext, rows []bookingRequest, file string,
) (p page.ImportView, already int, err error) {
	p = page.ImportView{Done: true, Rows: make([]page.ImportRow, len(rows))}
	var replays atomic.Int64
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(rowsAtOnce)
	for i, w := range rows {
		work.Go(func() error {
			return recovery.RecoverPanic(func() error {
				row, replayed, err := s.bookRow(ctx, v, k, i, w, file)
				p.Rows[i] = row
				if replayed {
					replays.Add(1)
				}
				return err
			})
		})
	}
	err = work.Wait()
	for _, row := range p.Rows {
		if row.CallID != "" {
			p.Good++
		}
	}
	already = int(replays.Load())
	p.Good -= already
	return p, already, err
}

// bookRow books one row, unless it was booked before.
func (s *ConsoleService) bookRow(
	ctx context.Context, v visitor, k bookingContext, i int, w bookingRequest, file string,
) (page.ImportRow, bool, error) {
	made, faults := k.buildCall(w)
	row := importRow(i, made, w, k)
	key := rowKey(file, row.Number)
	before, err := s.Store.FindReceipt(ctx, v.Org.ID, key, k.now)
	switch {
	case err != nil:
		return row, false, err
	case before != nil:
		row.State, row.Say, row.CallID, row.At = "completed", k.words.Already, before.CallID, nil
		return row, true, nil
	case len(faults) > 0:
		row.State, row.Say, row.At = "failed", joinFaults(faults), nil
		return row, false, nil
	}
	kept, err := s.Store.BookCall(ctx, made, v.auditActor(), &store.IdempotencyReceipt{
		Key: key, CallID: made.ID, Answer: []byte(made.ID), MadeAt: k.now,
	})
	if code := store.CodeOf(err); code == store.CodeInvalid || code == store.CodeTooLarge {
		row.State, row.Say, row.At = "failed", err.Error(), nil
		return row, false, nil
	}
	row.State, row.Say, row.CallID = "completed", k.words.Done, kept.CallID
	return row, kept.Replays, err
}

func rowKey(file string, row int) string { return "csv:" + file + ":" + strconv.Itoa(row) }

func importRow(i int, made call.Call, w bookingRequest, k bookingContext) page.ImportRow {
	at := made.ScheduledAt.In(k.zone)
	return page.ImportRow{
		Number: i + 2, Phone: made.PhoneNumber, Scenario: scenarioName(k.scenarios, w.Scenario), At: &at,
	}
}

// joinFaults joins the faults of a row, in the order of a booking's fields.
func joinFaults(faults map[string]string) string {
	var all []string
	add := func(field string) {
		if sentence := faults[field]; sentence != "" {
			all = append(all, sentence)
			delete(faults, field)
		}
	}
	fields := []string{"phone_number", "scenario_id", "scheduled_at", "retry.max_attempts", "retry.delay_minutes"}
	for _, field := range fields {
		add(field)
	}
	for _, field := range sortedNames(faults) {
		add(field)
	}
	return strings.Join(all, " ")
}

// campaignFile returns the uploaded file without a byte order mark.
func campaignFile(c echo.Context) ([]byte, error) {
	header, err := c.FormFile("file")
	if err != nil {
		return nil, echo.NewHTTPError(http.StatusBadRequest, "no file was sent").SetInternal(err)
	}
	file, err := header.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	source, err := io.ReadAll(io.LimitReader(file, mostFile+1))
	if err == nil && len(source) > mostFile {
		err = echo.NewHTTPError(http.StatusRequestEntityTooLarge, "the file is larger than 2 MiB")
	}
	return bytes.TrimPrefix(source, []byte("\uFEFF")), err
}

// readCampaign parses a campaign file into rows; the sentence is its fault, if it cannot be parsed.
func readCampaign(source []byte, w locale.CallsWords) ([]bookingRequest, string) {
	if !utf8.Valid(source) {
		return nil, w.BadCSV
	}
	in := csv.NewReader(bytes.NewReader(source))
	in.FieldsPerRecord, in.TrimLeadingSpace = -1, true
	if first, _, _ := bytes.Cut(source, []byte("\n")); bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		in.Comma = ';' // spreadsheets write semicolons where the comma is the decimal sign
	}
	header, err := in.Read()
	if err != nil {
		return nil, w.BadCSV
	}
	if fault := checkHeader(header, w); fault != "" {
		return nil, fault
	}
	var rows []bookingRequest
	for {
		fields, err := in.Read()
		switch {
		case errors.Is(err, io.EOF) && len(rows) == 0:
			return nil, w.NoRows
		case errors.Is(err, io.EOF):
			return rows, ""
		case err != nil:
			return nil, w.BadCSV
		case len(rows) == mostRows:
			return nil, w.TooMany
		}
		rows = append(rows, readRow(header, fields))
	}
}

// checkHeader trims the column names, and returns their fault.
func checkHeader(header []string, w locale.CallsWords) string {
	seen := map[string]bool{}
	for i, name := range header {
		name = strings.TrimSpace(name)
		header[i] = name
		if name == "" || seen[name] {
			return strings.ReplaceAll(w.UnknownColumn, "{name}", strconv.Quote(name))
		}
		seen[name] = true
	}
	for _, name := range []string{"phone_number", "scenario_id"} {
		if !seen[name] {
			return strings.ReplaceAll(w.BadHeader, "{name}", name)
		}
	}
	return ""
}

// readRow parses a row. Empty fields count as absent; fields beyond the last column are ignored.
func readRow(header, fields []string) bookingRequest {
	w := bookingRequest{Variables: map[string]any{}}
	for i, name := range header {
		if i >= len(fields) || fields[i] == "" {
			continue
		}
		value := fields[i]
		switch name {
		case "phone_number":
			w.Number = value
		case "scenario_id":
			w.Scenario = strings.TrimSpace(value)
		case "scheduled_at":
			w.At = value
		case "max_attempts":
			w.Tries = value
		case "delay_minutes":
			w.Delays = value
		default:
			w.setVariable(name, value)
		}
	}
	return w
}

// setVariable sets a variable, or metadata, from a column that is not a field of a booking.
func (w *bookingRequest) setVariable(name, value string) {
	rest, own := strings.CutPrefix(name, metadataField)
	if !own {
		w.Variables[name] = value
		return
	}
	if w.Metadata == nil {
		w.Metadata = map[string]string{}
	}
	w.Metadata[rest] = value
}
