package console_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
)

// rehearseValues holds a conversation that says the date and the name, as a call would.
func rehearseValues(_ context.Context, r kit.TrialRequest) (kit.TrialOutcome, error) {
	said := []call.Message{{Content: "السلام عليكم"}, {Content: fmt.Sprint("موعدكم ", r.Variables["date"])}, {Content: "شكرا"}}
	return kit.TrialOutcome{Messages: said, Waiting: true}, nil
}

func newDatesBench(t *testing.T) *consoleBench {
	t.Helper()
	b, _ := newSpeakerBench(t, func(d *console.Dependencies) { d.Rehearse = rehearseValues })
	return b
}

// datesWorkbook is a workbook whose rows have dates in several styles; every other value is complete.
func datesWorkbook(t *testing.T, dates ...any) []byte {
	t.Helper()
	book := excelize.NewFile()
	defer func() { _ = book.Close() }()
	rows := [][]any{{"الجوال", "اسم المريض", "الطبيب", "تاريخ الموعد", "وقت الموعد"}}
	for i, date := range dates {
		rows = append(rows, []any{fmt.Sprintf("05123456%02d", i), "سارة", "خالد", date, "٤ عصراً"})
	}
	for i, row := range rows {
		cell, _ := excelize.CoordinatesToCellName(1, i+1)
		if err := book.SetSheetRow("Sheet1", cell, &row); err != nil {
			t.Fatal(err)
		}
	}
	out, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// uploadWorkbook uploads a workbook, takes the columns as they are recognized, and returns the check's form and page.
func (b *consoleBench) uploadWorkbook(book []byte) (url.Values, testAnswer) {
	b.t.Helper()
	chosen := url.Values{"region": {"SA"}, "scenario": {"appointment_confirmation"}}
	columns := b.postFile(account.Operator, "/campaigns/columns", "p.xlsx", book, chosen).wantStatus(200)
	check := b.postForm(account.Operator, "/campaigns/check", columns.formValues("/console/campaigns/check")).wantStatus(200)
	return check.formValues("/console/campaigns"), check
}

// TestDatesOfAWorkbook imports dates of both calendars, past and ambiguous ones, and those that do not exist. Only what is
// certain is ready; a doubt is confirmed, an order chosen, a text corrected on the page.
func TestDatesOfAWorkbook(t *testing.T) {
	t.Parallel()
	b := newDatesBench(t)
	form, check := b.uploadWorkbook(datesWorkbook(t, "1448/06/16", "\u200f26/11/2026", 46352, "1448-13-01", "30/02/2027",
		"1448/06/01", "2026-11-20", "", "الخميس", "27 نوفمبر"))
	check.wantTexts("Start the campaign (3)", "<b>7</b>", "“1448-13-01” is not a day", "“30/02/2027” is not a day", "“الخميس” depends on the day",
		"Appointment day has passed, such as Wednesday 11 November 2026 (1 Jumada II 1448 AH). Rows: 2.",
		"Appointment day is missing. Rows: 1.", "has no year", "Thursday 26 November 2026 (16 Jumada II 1448 AH)", "موعدكم 2026-11-26",
		"No voice can say “شكرا”", "/console/campaigns/hear?scenario=appointment_confirmation")
	form.Set("confirm.past_day.date", "yes")
	form.Set("confirm.missing_value.date", "yes")
	form.Set("fix.3.3", "16-07-1448هـ")
	b.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (7)", `value="yes" checked`)
	form.Set("paused", "1")
	form.Set("sure", "appointment_confirmation")
	made := b.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusSeeOther).Header().Get("Location")
	b.getPage(account.Viewer, strings.TrimPrefix(made, "/console")).wantStatus(200).
		wantTexts("“30/02/2027” is not a day of the calendar", "“27 نوفمبر” has no year and is taken for Friday 27 November 2026")
	all, err := b.store.CallsPage(t.Context(), "acme", store.CallFilter{Limit: 20, Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	var days []string
	for _, c := range all.Items {
		days = append(days, fmt.Sprint(c.Variables["date"], " ", c.Variables["time"]))
	}
	want := "2026-11-26 16:00,2026-11-26 16:00,2026-11-26 16:00,2026-12-25 16:00,2026-11-11 16:00,2026-11-20 16:00,<nil> 16:00"
	if got := strings.Join(days, ","); got != want {
		t.Errorf("booked are %s, want %s", got, want)
	}
}

// TestAmbiguousColumn checks that 05/12/2026 is ready only once a person has chosen its order, for the whole column.
func TestAmbiguousColumn(t *testing.T) {
	t.Parallel()
	b := newDatesBench(t)
	form, check := b.uploadWorkbook(datesWorkbook(t, "05/12/2026", "06/12/2026"))
	check.wantTexts("Start the campaign (0)", "how is “05/12/2026” read?", "Saturday 5 December 2026", "Tuesday 12 May 2026")
	form.Set("order.3", "day")
	b.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (2)", `value="day" checked`, "موعدكم 2026-12-05")
	form.Set("order.3", "month")
	b.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (0)", "has passed, such as Tuesday 12 May 2026")
	form, check = b.uploadWorkbook(datesWorkbook(t, "05/12/2026", "26/12/2026"))
	check.wantTexts("Start the campaign (2)").wantNoTexts("how is")
	form.Set("when", "at")
	form.Set("at", "2026-12-10T09:00") // the first appointment is over when the calls begin
	b.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (1)", "Saturday 5 December 2026")
}

// TestPreviewPages checks that every ready row can be shown: three unasked, the others by page or by a text.
func TestPreviewPages(t *testing.T) {
	t.Parallel()
	b := newDatesBench(t)
	dates := make([]any, 40)
	for i := range dates {
		dates[i] = fmt.Sprintf("2026-12-%02d", 1+i%28)
	}
	form, check := b.uploadWorkbook(datesWorkbook(t, dates...))
	const row = `<span class="muted">Row `
	if n := strings.Count(check.Body.String(), row); n != 3 {
		t.Errorf("%d rows are shown unasked", n)
	}
	form.Set("from", "33")
	last := b.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("+966512345639")
	if n := strings.Count(last.Body.String(), row); n != 7 {
		t.Errorf("the last page has %d rows", n)
	}
	form.Set("find", "0512345620")
	b.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts(row+"22<", "2026-12-21").wantNoTexts(row + "23<")
	form.Set("find", "nobody")
	b.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("No ready row has “nobody”")
	heard := b.getPage(account.Operator, "/campaigns/hear?scenario=appointment_confirmation&text=السلام&text=عليكم").wantStatus(200)
	if n := heard.Body.Len(); n != 44+2*(800+1600+800) {
		t.Errorf("two lines are %d bytes of sound", n)
	}
	b.getPage(account.Operator, "/campaigns/hear?scenario=appointment_confirmation&text=شكرا").wantStatus(404)
}

// TestNewCallDates checks that a single booking names a date of the Hijri calendar, one that has passed and one that does
// not exist, and books only what a person has seen.
func TestNewCallDates(t *testing.T) {
	t.Parallel()
	b := newDatesBench(t)
	open := func(date, clock string) url.Values {
		form := b.getPage(account.Operator, "/calls/new?scenario=appointment_confirmation").wantStatus(200).formValues("/console/calls")
		for field, value := range map[string]string{"phone_number": anyNumber, "var.date": date, "var.time": clock, "var.name": "سارة", "var.doctor": "خالد"} {
			form.Set(field, value)
		}
		return form
	}
	refused := b.postForm(account.Operator, "/calls", open("1448-06-16", "16:30")).wantStatus(http.StatusUnprocessableEntity).
		wantTexts("1448-06-16 in the Hijri calendar is Thursday 26 November 2026 (16 Jumada II 1448 AH)", `value="2026-11-26"`)
	address := b.postForm(account.Operator, "/calls", refused.formValues("/console/calls")).wantStatus(http.StatusSeeOther).Header().Get("Location")
	booked, err := b.store.FindCall(t.Context(), "acme", strings.TrimPrefix(address, "/console/calls/"))
	if err != nil || booked.Variables["date"] != "2026-11-26" {
		t.Errorf("%v, %v", booked.Variables, err)
	}
	form := open("2026-11-20", "04:30")
	b.postForm(account.Operator, "/calls", form).wantStatus(http.StatusUnprocessableEntity).
		wantTexts("Friday 20 November 2026 (10 Jumada II 1448 AH) has passed", "04:30 is at night")
	form.Set("confirm", "past_day.date")
	b.postForm(account.Operator, "/calls", form).wantStatus(http.StatusUnprocessableEntity)
	form.Set("confirm", "past_day.date night_time.time")
	b.postForm(account.Operator, "/calls", form).wantStatus(http.StatusSeeOther)
	for typed, says := range map[string]string{"05/12/2026": "can be read in two ways", "1448-13-01": "not a day of the calendar", "x": "cannot be read"} {
		b.postForm(account.Operator, "/calls", open(typed, "16:30")).wantStatus(http.StatusUnprocessableEntity).wantTexts(says)
	}
}
