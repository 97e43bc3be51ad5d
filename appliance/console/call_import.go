package console

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/service"
	"munadi/ui/layout"
	"munadi/ui/locale"
	"munadi/ui/page"
)

// Limits of a campaign file.
const (
	mostRows      = 2000
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
	checked, err := s.UseCases.CheckBookings(c.Request().Context(), requestCaller(c), k.parseRows(rows, source))
	if err != nil {
		return err
	}
	p := page.ImportView{Source: base64.StdEncoding.EncodeToString(source)}
	for i, one := range checked {
		row := k.importRow(i, rows[i], one)
		if row.State == "" {
			p.Good++
			if row.State, row.Say = "scheduled", k.words.Fine; one.Suppressed {
				row.State, row.Say = "warn", k.words.FineButSuppressed
			}
		}
		p.Rows = append(p.Rows, row)
	}
	p.Sum = fillCounts(k.words.Summary, "good", p.Good, "bad", len(rows)-p.Good)
	return s.importPage(c, http.StatusOK, p)
}

// parseRows returns the bookings of rows. Each has an idempotency key, made of the file's and its number, so that the
// same file again, or a booking that was interrupted, books no row twice within [store.KeepReceipts].
func (k bookingContext) parseRows(rows []bookingForm, source []byte) []service.BookingRequest {
	sum := sha256.Sum256(source)
	file := hex.EncodeToString(sum[:16])
	all := make([]service.BookingRequest, len(rows))
	for i, f := range rows {
		all[i] = k.parseBooking(f)
		all[i].Once = newFormKey("csv:" + file + ":" + strconv.Itoa(i+2))
	}
	return all
}

// bookImport books the valid rows of a campaign file.
func (s *ConsoleService) bookImport(c echo.Context) error {
	source, err := base64.StdEncoding.DecodeString(c.FormValue("source"))
	if err != nil || len(source) > mostFile {
		return refuseForm("the form is out of date")
	}
	ctx := c.Request().Context()
	k, err := s.newBookingContext(ctx, requestVisitor(c))
	if err != nil {
		return err
	}
	rows, fault := readCampaign(source, k.words)
	if fault != "" {
		return s.importPage(c, http.StatusUnprocessableEntity, page.ImportView{Fault: fault})
	}
	booked, err := s.UseCases.BookCalls(ctx, requestCaller(c), k.parseRows(rows, source))
	if err != nil {
		return err
	}
	p, already := page.ImportView{Done: true, Source: base64.StdEncoding.EncodeToString(source)}, 0
	for i, one := range booked {
		row := k.importRow(i, rows[i], one)
		if one.Repeated {
			already++
		} else if row.State == "" {
			row.State, row.Say, row.CallID = "completed", k.words.Done, one.Call.ID
			p.Good++
		}
		p.Rows = append(p.Rows, row)
	}
	p.Sum = fillCounts(k.words.DoneSummary, "booked", p.Good, "already", already, "bad", len(rows)-p.Good-already)
	return s.importPage(c, http.StatusOK, p)
}

// importRow returns a row of the report: refused, booked before, or without a state where it is sound.
func (k bookingContext) importRow(i int, f bookingForm, one service.BookingResult) page.ImportRow {
	number, _ := phoneNumber(f.Number)
	row := page.ImportRow{Number: i + 2, Phone: number, Scenario: scenarioName(k.scenarios, f.Scenario)}
	switch {
	case len(one.Violations) > 0:
		row.State, row.Say = "failed", joinFaults(k.explainBooking(f, one.Violations))
	case one.Repeated:
		row.State, row.Say, row.CallID = "completed", k.words.Already, one.Call.ID
	default:
		at := one.Call.ScheduledAt.In(k.zone)
		row.At = &at
	}
	return row
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
func readCampaign(source []byte, w locale.CallsWords) ([]bookingForm, string) {
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
	var rows []bookingForm
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
func readRow(header, fields []string) bookingForm {
	w := bookingForm{Variables: map[string]any{}}
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
func (w *bookingForm) setVariable(name, value string) {
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
