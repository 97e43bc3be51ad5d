package console_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
)

// people is a file with five rows: two valid ones, a duplicate, one with an invalid number and date, and a suppressed
// number.
const people = "\uFEFFالاسم;رقم الجوال;تاريخ الموعد;رقم الملف\r\n" +
	"سارة;0512345601;23/12/2026;17\r\nنورة;٠٥١٢٣٤٥٦٠٢;2026-12-24;18\r\nسارة;966512345601;;19\r\nليلى;05123;غدا;20\r\nهند;0512345603;;21\r\n"

// onlyCampaign returns the only campaign of an organization.
func onlyCampaign(t *testing.T, s store.Store, orgID string) campaign.Campaign {
	t.Helper()
	all, err := s.CampaignsPage(t.Context(), orgID, 10, "")
	if err != nil || len(all.Items) != 1 {
		t.Fatalf("%d campaigns, %v", len(all.Items), err)
	}
	found, err := s.FindCampaign(t.Context(), orgID, all.Items[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestCampaignFromAFile imports a file: its columns are recognized, an invalid row is corrected on the page, the others
// are skipped, and a form that is sent twice creates one campaign.
func TestCampaignFromAFile(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.mustSucceed(d.store.AddSuppressions(t.Context(), []callrules.SuppressionEntry{
		{OrgID: "acme", PhoneNumber: "+966512345603", Source: "api", CreatedAt: d.now},
	}, "test", d.now))
	d.getPage(account.Operator, "/campaigns/new").wantStatus(200).wantTexts("Country of numbers", "(+966)")
	upload := url.Values{"region": {"SA"}, "scenario": {"appointment_confirmation"}}
	columns := d.postFile(account.Operator, "/campaigns/columns", "patients.csv", []byte(people), upload).wantStatus(200).wantTexts("Rows in the file: 5")
	form := columns.formValues("/console/campaigns/check")
	choose := regexp.MustCompile(`(?s)name="(col\.\d)".*?<option value="([^"]*)" selected`)
	for _, found := range choose.FindAllStringSubmatch(columns.Body.String(), -1) {
		form.Set(found[1], found[2])
	}
	if got := form.Get("col.0") + " " + form.Get("col.1") + " " + form.Get("col.2"); got != "name phone_number date" {
		t.Fatalf("the columns are taken for %q", got)
	}
	form.Set("col.3", "keep:")
	form.Set("region", "SA")
	form.Set("scenario", "appointment_confirmation")
	for _, name := range []string{"date", "time", "doctor"} {
		form.Set("confirm.missing_value."+name, "yes")
	}
	check := d.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts(
		"Start the campaign (2)", "Duplicate numbers: 1", "suppression list: 1", "fix.3.1", "not a complete telephone number", `value="patients"`)
	form = check.formValues("/console/campaigns")
	form.Set("fix.3.1", "0512345604")
	d.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (2)", "depends on the day")
	form.Set("fix.3.2", "25.12.2026")
	check = d.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (3)", "Calls 3 people with “Appointment confirmation”, Saturday, all day.")
	form = check.formValues("/console/campaigns")
	d.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusUnprocessableEntity).wantTexts("First confirm who is called")
	form.Set("sure", "appointment_confirmation")
	d.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusUnprocessableEntity).
		wantTexts("Several people have the same number. Rows: 2.", "Choose first.")
	form.Set("shared", "once")
	form.Set("pace", "0")
	d.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusUnprocessableEntity).wantTexts("from 1 to 6000")
	form.Set("pace", "60")
	form.Set("paused", "1")
	form.Set("caller", "+966112345678")
	for range 2 {
		d.postForm(account.Operator, "/campaigns", form).wantRedirect("/console/campaigns/" + form.Get("id"))
	}
	made := onlyCampaign(t, d.store, "acme")
	if made.Status != campaign.Paused || made.CallsPerMinute != 60 || made.Tally.Counts[call.Scheduled] != 3 || len(made.Skipped) != 2 {
		t.Errorf("%+v", made)
	}
	all, err := d.store.CallsPage(t.Context(), "acme", store.CallFilter{CampaignID: made.ID, Limit: 10, Ascending: true})
	d.mustSucceed(err)
	if c := all.Items[0]; c.PhoneNumber != "+966512345601" || fmt.Sprint(c.Variables) != "map[date:2026-12-23 name:سارة]" || c.Metadata["رقم الملف"] != "17" {
		t.Errorf("the first call is %+v", c)
	}
	d.postFile(account.Operator, "/campaigns/columns", "again.csv", []byte(people), upload).wantStatus(200).wantTexts("known from an earlier file")
	d.getPage(account.Operator, "/campaigns/new").wantStatus(200).wantTexts("<details>", `<option value="" selected>As last time`)
	upload.Set("scenario", "") // these columns' last scenario, though another one is the first in the list
	d.postFile(account.Operator, "/campaigns/columns", "again.csv", []byte(people), upload).wantStatus(200).
		wantTexts(`<option value="appointment_confirmation" selected>`, "known from an earlier file")
	d.getPage(account.Viewer, "/campaigns/"+made.ID).wantStatus(200).wantTexts("patients", "Paused", "Number that people see", "+966112345678").
		wantNoTexts("Resume</span>", "Cancel campaign")
	d.getPage(account.Viewer, "/campaigns/"+made.ID+"/results.csv").wantStatus(200).wantTexts("رقم الملف", ",17", ",18")

	file := d.getPage(account.Viewer, "/campaigns/"+made.ID+"/results.xlsx").wantStatus(200)
	book, err := excelize.OpenReader(file.Body)
	d.mustSucceed(err)
	rows, err := book.GetRows("Calls")
	d.mustSucceed(err)
	if len(rows) != 4 || rows[1][0] != "سارة" || rows[1][1] != "+966512345601" {
		t.Errorf("the sheet of calls is %q", rows)
	}
	skipped, err := book.GetRows("Not booked")
	d.mustSucceed(err)
	if len(skipped) != 3 || fmt.Sprint(skipped[0]) != "[Row Name Number Reason]" || fmt.Sprint(skipped[1]) != "[4 سارة +966512345601 Duplicate number]" {
		t.Errorf("the sheet of rows that were not booked is %q", skipped)
	}
}

// TestCampaignFromCalls checks that the people of a filtered list become a campaign, each number once.
func TestCampaignFromCalls(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for range 2 {
		d.bookCall("acme", anyNumber, nil)
	}
	d.bookCall("acme", "+966512345602", nil)
	d.getPage(account.Operator, "/calls?status=scheduled").wantStatus(200).wantTexts("/campaigns/new?people=calls&status=scheduled")
	d.getPage(account.Operator, "/calls?from=2026-11-21").wantStatus(200).wantTexts("/campaigns/new?people=calls&from=2026-11-21")
	d.getPage(account.Operator, "/campaigns/new?people=calls&from=2026-11-22").wantRedirect("/console/calls?from=2026-11-22")
	check := d.getPage(account.Operator, "/campaigns/new?people=calls&status=scheduled").wantStatus(200).wantTexts("Doctor is missing. Rows: 2.")
	form := check.formValues("/console/campaigns")
	for _, name := range []string{"date", "time", "name", "doctor"} {
		form.Set("confirm.missing_value."+name, "yes")
	}
	d.postForm(account.Operator, "/campaigns/check", form).wantStatus(200).wantTexts("Start the campaign (2)")
	form.Set("sure", "appointment_confirmation")
	d.postForm(account.Operator, "/campaigns", form).wantStatus(http.StatusSeeOther)
	if made := onlyCampaign(t, d.store, "acme"); made.Tally.Counts[call.Scheduled] != 2 {
		t.Errorf("%+v", made.Tally)
	}
	d.getPage(account.Operator, "/campaigns/new?people=calls&status=failed").wantRedirect("/console/calls?status=failed")
}

// TestCampaignFilesThatAreNone checks that an unreadable file is explained and an outdated form refused.
func TestCampaignFilesThatAreNone(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for source, says := range map[string]string{
		"": "no rows below", "phone\n": "no rows below", "PK\x03\x04": "damaged", "\xD0\xCF\x11\xE0": "old Excel file",
		"phone\n" + strings.Repeat("0512345601\n", 10_001): "more than 10,000", "phone" + strings.Repeat(",x", 64): "more than 64 columns",
	} {
		d.postFile(account.Operator, "/campaigns/columns", "c.csv", []byte(source), url.Values{}).wantStatus(http.StatusUnprocessableEntity).wantTexts(says)
	}
	d.postForm(account.Operator, "/campaigns/check", url.Values{"table": {"%"}}).wantStatus(http.StatusForbidden)
	d.postForm(account.Operator, "/campaigns", draftForm()).wantStatus(http.StatusSeeOther)
	odd := draftForm()
	odd.Set("col.0", "")
	d.postForm(account.Operator, "/campaigns/check", odd).wantStatus(http.StatusUnprocessableEntity).wantTexts("Choose the column")
	odd.Set("id", "camp_../../x")
	d.postForm(account.Operator, "/campaigns", odd).wantStatus(http.StatusForbidden)
	d.postFile(account.Viewer, "/campaigns/columns", "c.csv", []byte(people), url.Values{}).wantStatus(http.StatusForbidden)
	gone := draftForm()
	gone.Set("id", "camp_00000000-0000-4000-8000-00000000000b")
	gone.Set("scenario", "deleted")
	for _, path := range []string{"/campaigns/check", "/campaigns"} { // another scenario is not taken silently
		d.postForm(account.Operator, path, gone).wantStatus(http.StatusUnprocessableEntity).wantTexts("was deleted in the meantime")
	}
}

// TestCampaignFromPastedRows checks that rows copied from a spreadsheet, or a list of numbers, are read as a file is; that
// what was typed stays beside a fault; and that neither of a file and rows is passed over.
func TestCampaignFromPastedRows(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for pasted, texts := range map[string][]string{
		"كشف اليوم\r\n\r\nالاسم\tالجوال\r\nسارة\t٠٥١٢٣٤٥٦٠١\r\nنورة\t0512345602\r\n": {"Rows in the file: 2", "نورة", "٠٥١٢٣٤٥٦٠١"},
		"0512345601\n0512345602\n0512345603": {"Rows in the file: 3", "0512345603"},
		"0512345601":                         {"Rows in the file: 1"},
	} {
		sent := url.Values{"pasted": {pasted}, "region": {"SA"}, "scenario": {"appointment_confirmation"}}
		page := d.postForm(account.Operator, "/campaigns/columns", sent).wantStatus(200).wantTexts(texts...)
		form := page.formValues("/console/campaigns/check")
		if !slices.Contains([]string{form.Get("col.0"), form.Get("col.1")}, "phone_number") {
			t.Errorf("%q: no column is the number: %v", pasted, form)
		}
	}
	sent := url.Values{"pasted": {"phone\n"}, "region": {"EG"}, "scenario": {"restaurant_order"}}
	d.postForm(account.Operator, "/campaigns/columns", sent).wantStatus(http.StatusUnprocessableEntity).
		wantTexts("no rows below", "phone\n</textarea>", `value="EG" selected`, `value="restaurant_order" selected`)
	d.postForm(account.Operator, "/campaigns/columns", url.Values{"pasted": {" \n"}}).
		wantStatus(http.StatusUnprocessableEntity).wantTexts("Choose a file, or paste the rows.")
	sent.Set("pasted", "0512345601")
	d.postFile(account.Operator, "/campaigns/columns", "c.csv", []byte(people), sent).
		wantStatus(http.StatusUnprocessableEntity).wantTexts("Keep one of them.", "0512345601</textarea>")
}

// TestCampaignIsSteered checks that pause, resume, cancel and retry report what they did, or why they cannot be done.
func TestCampaignIsSteered(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	path := "/campaigns/" + w.campaign.ID
	w.getPage(account.Operator, "/campaigns").wantStatus(200).wantTexts("Visits", "0 of 2 people done")
	w.postForm(account.Operator, path+"/pause", url.Values{}).wantRedirect("/console" + path)
	w.getPage(account.Operator, path).wantStatus(200).wantTexts("Resume")
	w.postForm(account.Operator, path+"/resume", url.Values{}).wantRedirect("/console" + path)
	w.getPage(account.Operator, path+"/cancel").wantStatus(200).wantTexts("Yes, cancel the campaign", "Visits")
	w.postForm(account.Operator, path+"/cancel", url.Values{}).wantRedirect("/console" + path)
	if found, _ := w.store.FindCampaign(t.Context(), "acme", w.campaign.ID); found.Status != campaign.Cancelled || found.Tally.Counts[call.Cancelled] != 2 {
		t.Errorf("%+v", found)
	}
	for _, at := range []string{"/campaigns", path} { // whom nobody called is not done
		w.getPage(account.Viewer, at).wantStatus(200).wantTexts("0 of 2 people done").wantNoTexts("2 of 2 people done", "100%<")
	}
	w.postForm(account.Operator, path+"/pause", url.Values{}).wantRedirect("/console" + path)
	w.postForm(account.Operator, path+"/retry", url.Values{}).wantRedirect("/console" + path)
	results := w.getPage(account.Viewer, path+"/results.csv").wantStatus(200).wantTexts("Call id,Number,Status", "Cancelled")
	book := w.getPage(account.Viewer, path+"/results.xlsx").wantStatus(200)
	for kind, answer := range map[string]testAnswer{"csv": results, "xlsx": book} {
		name := "Visits " + w.campaign.CreatedAt.In(w.now.Location()).Format(time.DateOnly) + "." + kind
		if got := answer.Header().Get("Content-Disposition"); !strings.HasSuffix(got, "filename*=UTF-8''"+url.PathEscape(name)) {
			t.Errorf("the file is %s, want %s", got, name)
		}
	}
}

// TestCampaignPeoplePages checks the pages of the list of people, also for answers without an index.
func TestCampaignPeoplePages(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	made := w.campaignOf("acme", "Visits", 205)
	path := "/campaigns/" + made.ID + "/people"
	seen, next := 0, path
	for pages := 0; next != "" && pages < 4; pages++ {
		shown := w.getPage(account.Viewer, next).wantStatus(200).wantTexts(`id="people-count">205<`).Body.String()
		seen += strings.Count(shown, `<th scope="row">`)
		next = ""
		if link := regexp.MustCompile(`rel="next" href="/console([^"]*)"`).FindStringSubmatch(shown); link != nil {
			next = html.UnescapeString(link[1])
		}
	}
	if seen != 205 {
		t.Errorf("the pages list %d people", seen)
	}
	all, err := w.store.CallsPage(t.Context(), "acme", store.CallFilter{CampaignID: made.ID, Limit: 3})
	w.mustSucceed(err)
	long := strings.Repeat("كلام", 100)
	for i, report := range []string{`{"list":["a"]}`, `{"list":["b"]}`, `{"note":"` + long + `"}`} {
		w.endCall(all.Items[i], call.CallOutcome{Status: call.Completed, Report: []byte(report)})
	}
	found, err := w.store.FindCampaign(t.Context(), "acme", made.ID)
	w.mustSucceed(err)
	for slot, values := range found.Tally.People.Answers {
		for value, n := range values {
			q := url.Values{"slot": {slot}, "answer": {value}}
			shown := w.getPage(account.Viewer, path+"?"+q.Encode()).wantStatus(200).wantTexts(fmt.Sprintf(`id="people-count">%d<`, n))
			if rows := strings.Count(shown.Body.String(), `<th scope="row">`); rows != n {
				t.Errorf("%s %q lists %d people, want %d", slot, value, rows, n)
			}
		}
	}
	if len(found.Tally.People.Answers["list"]) != 2 || len(found.Tally.People.Answers["note"]) != 1 {
		t.Errorf("the answers are %v", found.Tally.People.Answers)
	}
}

// TestCampaignCountsPeople checks that a person who was reached by a retry counts once, as reached; that each count
// leads to as many people; and that list, confirmation and report have the same counts.
func TestCampaignCountsPeople(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	made := w.campaignOf("acme", "Visits", 3)
	path := "/campaigns/" + made.ID
	all, err := w.store.CallsPage(t.Context(), "acme", store.CallFilter{CampaignID: made.ID, Limit: 10, Ascending: true})
	w.mustSucceed(err)
	confirmed := call.CallOutcome{Status: call.Completed, Report: []byte(`{"confirmed":true}`)}
	unreached := call.CallOutcome{Status: call.NoAnswer}
	w.getPage(account.Viewer, path).wantStatus(200).wantTexts("0 of 3 people done")
	w.endCall(all.Items[0], unreached)
	again := all.Items[0]
	again.ID, again.CreatedAt = call.NewID(), again.CreatedAt.Add(time.Minute)
	_, err = w.store.RetryCampaign(t.Context(), "acme", made.ID, map[string]call.Call{all.Items[0].ID: again}, "test", w.now)
	w.mustSucceed(err)
	w.endCall(again, confirmed)
	w.endCall(all.Items[1], confirmed)
	w.endCall(all.Items[2], unreached)
	found := w.getPage(account.Viewer, path).wantStatus(200).wantTexts("3 of 3 people done", "100%", `id="unreached"`)
	links := regexp.MustCompile(`(?s)href="/console(/campaigns/[^"]*/people[^"]*)".*?<b>(\d+)</b>`)
	want := map[string]string{
		"?status=completed": "2", "?status=no_answer": "1", "?status=unreached": "1", "?answer=true&slot=confirmed": "2",
	}
	for _, link := range links.FindAllStringSubmatch(found.Body.String(), -1) {
		address := html.UnescapeString(link[1])
		_, query, _ := strings.Cut(address, "/people")
		if want[query] != link[2] {
			t.Errorf("%s counts %s, want %q", query, link[2], want[query])
		}
		w.getPage(account.Viewer, address).wantStatus(200).wantTexts(`id="people-count">`+link[2]+"<", "Visits")
		delete(want, query)
	}
	if len(want) > 0 {
		t.Errorf("no links to %v", want)
	}
	w.getPage(account.Viewer, path+"/people?status=unreached").wantStatus(200).wantTexts(all.Items[2].PhoneNumber).
		wantNoTexts(all.Items[0].PhoneNumber)
	w.getPage(account.Viewer, path+"/people").wantStatus(200).wantTexts(`id="people-count">3<`)
	w.getPage(account.Viewer, path+"/people?cursor=99").wantStatus(http.StatusUnprocessableEntity)
	w.getPage(account.Operator, path+"/retry").wantStatus(200).wantTexts("up to 1")
	list := w.getPage(account.Viewer, "/campaigns").wantStatus(200).wantTexts("3 of 3 people done")
	for _, link := range links.FindAllStringSubmatch(list.Body.String(), -1) {
		w.getPage(account.Viewer, html.UnescapeString(link[1])).wantStatus(200).wantTexts(`id="people-count">` + link[2] + "<")
	}
	_, err = w.store.ErasePerson(t.Context(), "acme", again.PhoneNumber, "test", w.now)
	w.mustSucceed(err)
	w.getPage(account.Viewer, path).wantStatus(200).wantTexts("3 of 3 people done")
	w.getPage(account.Viewer, path+"/people?answer=true&slot=confirmed").wantStatus(200).wantTexts(`id="people-count">1<`)
	w.getPage(account.Viewer, "/campaigns/"+campaign.NewID()+"/people").wantStatus(http.StatusNotFound)
}
