package console_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
)

// family is a workbook with two sheets: on the one that it opens with a mother and her child on one number, the mother a
// second time, and a cell with two numbers.
func family(t *testing.T) []byte {
	t.Helper()
	book := excelize.NewFile()
	for sheet, rows := range map[string][][]any{
		"Sheet1": {{"الاسم", "الجوال"}, {"سعاد", "0512345609"}},
		"الأحد": {
			{"الاسم", "الجوال"},
			{"منى", "0512345601"},
			{"طفل منى", "0512345601"},
			{"منى", "0512345601"},
			{"هدى", "0512345602 / 0512345603"},
		},
	} {
		_, err := book.NewSheet(sheet)
		for i := range rows {
			if err == nil {
				err = book.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &rows[i])
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	at, err := book.GetSheetIndex("الأحد")
	if err != nil {
		t.Fatal(err)
	}
	book.SetActiveSheet(at)
	var out bytes.Buffer
	if err := book.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// uploadFamily uploads the workbook, chooses the sheet that it opens with, and returns the form of the check.
func uploadFamily(d *callBench) url.Values {
	d.t.Helper()
	chosen := url.Values{"region": {"SA"}, "scenario": {"appointment_confirmation"}}
	sheets := d.postFile(account.Operator, "/campaigns/columns", "family.xlsx", family(d.t), chosen).wantStatus(200).
		wantTexts("Which sheet of the file?", "الأحد", "Rows: 4", "Rows: 1")
	form := sheets.formValues("/console/campaigns/columns")
	form.Set("sheet", "0")
	columns := d.postForm(account.Operator, "/campaigns/columns", form).wantStatus(200).wantTexts("Rows in the file: 4")
	form = columns.formValues("/console/campaigns/check")
	for name, value := range map[string]string{
		"col.0": "name", "col.1": "phone_number", "region": "SA", "scenario": "appointment_confirmation", "sure": "appointment_confirmation",
		"name": "Family", "confirm.missing_value.date": "yes", "confirm.missing_value.time": "yes", "confirm.missing_value.doctor": "yes",
	} {
		form.Set(name, value)
	}
	return form
}

// TestPeopleWhoShareANumber checks that nobody is left out without a choice, that everybody is called if chosen, once
// each, and that who is not called is listed with sheet, row, name and reason.
func TestPeopleWhoShareANumber(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	form := uploadFamily(d)
	d.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts(
		"Several people have the same number. Rows: 2.", "طفل منى", "A cell has two numbers, such as “0512345602 / 0512345603”. Rows: 1.",
		"The cell has two numbers. Choose above", "Start the campaign (1)")
	d.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusUnprocessableEntity).wantTexts("Choose first.")
	form.Set("shared", "each")
	form.Set("two_numbers", "both")
	d.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (4)", "Duplicate numbers: 1")
	d.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusSeeOther)
	made := onlyCampaign(t, d.store, "acme")
	if made.Tally.People.Total() != 4 {
		t.Errorf("%+v", made.Tally)
	}
	all, err := d.store.CallsPage(t.Context(), "acme", store.CallFilter{CampaignID: made.ID, Limit: 10, Ascending: true})
	d.mustSucceed(err)
	var booked []string
	for _, c := range all.Items {
		booked = append(booked, fmt.Sprint(c.PhoneNumber[9:], " ", c.Variables["name"], " ", c.ScheduledAt.Sub(all.Items[0].ScheduledAt)))
	}
	if got, want := strings.Join(booked, ", "), "5601 منى 0s, 5601 طفل منى 0s, 5602 هدى 0s, 5603 هدى 15m0s"; got != want {
		t.Errorf("booked are %s, want %s", got, want)
	}
	d.getPage(account.Viewer, "/campaigns/"+made.ID).wantStatus(200).wantTexts("Sheet", "الأحد", "Duplicate number")
	book, err := excelize.OpenReader(d.getPage(account.Viewer, "/campaigns/"+made.ID+"/results.xlsx").wantStatus(200).Body)
	d.mustSucceed(err)
	rows, err := book.GetRows("Not booked")
	if err != nil || fmt.Sprint(rows) != "[[Sheet Row Name Number Reason] [الأحد 4 منى +966512345601 Duplicate number]]" {
		t.Errorf("the rows that were not booked are %q, %v", rows, err)
	}
}

// TestOneOfTwoNumbers checks that the chosen number of two is called, and that of people who share one only the first.
func TestOneOfTwoNumbers(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	form := uploadFamily(d)
	form.Set("shared", "once")
	form.Set("two_numbers", "second")
	d.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusSeeOther)
	made := onlyCampaign(t, d.store, "acme")
	found, err := d.store.CallsPage(t.Context(), "acme", store.CallFilter{CampaignID: made.ID, PhoneNumber: "+966512345603", Limit: 10})
	d.mustSucceed(err)
	if made.Tally.Counts[call.Scheduled] != 2 || len(found.Items) != 1 || len(made.Skipped) != 2 || made.Skipped[0].Name != "طفل منى" {
		t.Errorf("%+v, %+v", made, found.Items)
	}
	if c := found.Items[0]; c.ScheduledAt.Sub(d.now) > time.Minute {
		t.Errorf("the second number is called at %s", c.ScheduledAt)
	}
	form.Set("table", "x")
	form.Set("sheet", "7")
	d.postForm(account.Operator, "/campaigns/columns", form).wantStatus(http.StatusForbidden)
}
