package console_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
)

// people is a file with five rows: two good ones, a duplicate, a faulty number and date, and a suppressed number.
const people = "\uFEFFالاسم;رقم الجوال;تاريخ الموعد;رقم الملف\r\n" +
	"سارة;0512345601;23/12/2026;17\r\nنورة;٠٥١٢٣٤٥٦٠٢;2026-12-24;18\r\nسارة;966512345601;;19\r\nليلى;05123;غدا;20\r\nهند;0512345603;;21\r\n"

// onlyCampaign is the one campaign of an organization.
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

// TestCampaignFromAFile: a file is read, its columns are recognized, faulty rows are corrected on the page, the rest is
// left out, and a form that is sent twice makes one campaign.
func TestCampaignFromAFile(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	d.must(d.store.AddSuppressions(t.Context(), []callrules.SuppressionEntry{
		{OrgID: "acme", PhoneNumber: "+966512345603", Source: "api", CreatedAt: d.now},
	}, "test", d.now))
	d.get(account.Operator, "/campaigns/new").want(200).says("Country of numbers", "(+966)")
	upload := url.Values{"region": {"SA"}, "scenario": {"appointment_confirmation"}}
	columns := d.send(account.Operator, "/campaigns/columns", "patients.csv", []byte(people), upload).want(200).says("Rows in the file: 5")
	form := columns.form("/console/campaigns/check")
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
	check := d.post(account.Operator, "/campaigns/check", form).want(200).says(
		"Start the campaign (2)", "Duplicate numbers: 1", "do-not-call list: 1", "fix.3.1", "no complete telephone number", `value="patients"`)
	form = check.form("/console/campaigns")
	form.Set("fix.3.1", "0512345604")
	d.post(account.Operator, "/campaigns/check", form).want(200).says("Start the campaign (2)", "write a date as")
	form.Set("fix.3.2", "25.12.2026")
	check = d.post(account.Operator, "/campaigns/check", form).want(200).says("Start the campaign (3)")
	form = check.form("/console/campaigns")
	form.Set("pace", "0")
	d.post(account.Operator, "/campaigns", form).want(http.StatusUnprocessableEntity).says("from 1 to 6000")
	form.Set("pace", "60")
	form.Set("paused", "yes")
	form.Set("caller", "+966112345678")
	for range 2 {
		d.post(account.Operator, "/campaigns", form).leads("/console/campaigns/" + form.Get("id"))
	}
	made := onlyCampaign(t, d.store, "acme")
	if made.Status != campaign.Paused || made.CallsPerMinute != 60 || made.Tally.Counts[call.Scheduled] != 3 || len(made.Skipped) != 2 {
		t.Errorf("%+v", made)
	}
	all, err := d.store.CallsPage(t.Context(), "acme", store.CallFilter{CampaignID: made.ID, Limit: 10, Ascending: true})
	d.must(err)
	if c := all.Items[0]; c.PhoneNumber != "+966512345601" || fmt.Sprint(c.Variables) != "map[date:2026-12-23 name:سارة]" || c.Metadata["رقم الملف"] != "17" {
		t.Errorf("the first call is %+v", c)
	}
	d.send(account.Operator, "/campaigns/columns", "again.csv", []byte(people), upload).want(200).says("known from an earlier file")
	d.get(account.Operator, "/campaigns/new").want(200).says("<details>")
	d.get(account.Viewer, "/campaigns/"+made.ID).want(200).says("patients", "Paused", "Number that people see", "+966112345678").
		not("Resume</span>", "Cancel campaign")
	d.get(account.Viewer, "/campaigns/"+made.ID+"/results.csv").want(200).says("رقم الملف", ",17", ",18")
}

// TestCampaignFromCalls: the people of a filtered list become a campaign, each number once.
func TestCampaignFromCalls(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	for range 2 {
		d.booked("acme", anyNumber, nil)
	}
	d.booked("acme", "+966512345602", nil)
	d.get(account.Operator, "/calls?status=scheduled").want(200).says("/campaigns/new?from=calls&status=scheduled")
	check := d.get(account.Operator, "/campaigns/new?from=calls&status=scheduled").want(200).says("Start the campaign (2)")
	d.post(account.Operator, "/campaigns", check.form("/console/campaigns")).want(http.StatusSeeOther)
	if made := onlyCampaign(t, d.store, "acme"); made.Tally.Counts[call.Scheduled] != 2 {
		t.Errorf("%+v", made.Tally)
	}
	d.get(account.Operator, "/campaigns/new?from=calls&status=failed").leads("/console/calls?status=failed")
}

// TestCampaignFilesThatAreNone: a file that cannot be read says why, and a form that is out of date is refused.
func TestCampaignFilesThatAreNone(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	for source, says := range map[string]string{
		"": "no rows below", "phone\n": "no rows below", "PK\x03\x04": "damaged", "\xD0\xCF\x11\xE0": "old Excel file",
		"phone\n" + strings.Repeat("0512345601\n", 10_001): "more than 10,000",
	} {
		d.send(account.Operator, "/campaigns/columns", "c.csv", []byte(source), url.Values{}).want(http.StatusUnprocessableEntity).says(says)
	}
	d.post(account.Operator, "/campaigns/check", url.Values{"table": {"%"}}).want(http.StatusForbidden)
	d.post(account.Operator, "/campaigns", draftForm()).want(http.StatusSeeOther)
	odd := draftForm()
	odd.Set("col.0", "")
	d.post(account.Operator, "/campaigns/check", odd).want(http.StatusUnprocessableEntity).says("Choose the column")
	odd.Set("id", "camp_../../x")
	d.post(account.Operator, "/campaigns", odd).want(http.StatusForbidden)
	d.send(account.Viewer, "/campaigns/columns", "c.csv", []byte(people), url.Values{}).want(http.StatusForbidden)
}

// TestCampaignIsSteered: pause, resume, cancel and retry say what they did, or why it cannot be done.
func TestCampaignIsSteered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := "/campaigns/" + w.campaign.ID
	w.get(account.Operator, "/campaigns").want(200).says("Visits", "0 of 2 people done")
	w.post(account.Operator, path+"/pause", url.Values{}).leads("/console" + path)
	w.get(account.Operator, path).want(200).says("Resume")
	w.post(account.Operator, path+"/resume", url.Values{}).leads("/console" + path)
	w.get(account.Operator, path+"/cancel").want(200).says("Yes, cancel the campaign", "Visits")
	w.post(account.Operator, path+"/cancel", url.Values{}).leads("/console" + path)
	if found, _ := w.store.FindCampaign(t.Context(), "acme", w.campaign.ID); found.Status != campaign.Cancelled || found.Tally.Counts[call.Cancelled] != 2 {
		t.Errorf("%+v", found)
	}
	w.post(account.Operator, path+"/pause", url.Values{}).leads("/console" + path)
	w.post(account.Operator, path+"/retry", url.Values{}).leads("/console" + path)
	w.get(account.Viewer, path+"/results.csv").want(200).says("Call id,Number,Status", "Cancelled")
}

// TestCampaignPeoplePages: the list of people goes on page by page, and finds answers that no index has.
func TestCampaignPeoplePages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := w.campaignOf("acme", "Visits", 205)
	path := "/campaigns/" + made.ID + "/people"
	seen, next := 0, path
	for pages := 0; next != "" && pages < 4; pages++ {
		shown := w.get(account.Viewer, next).want(200).says(`id="people-count">205<`).Body.String()
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
	w.must(err)
	long := strings.Repeat("كلام", 100)
	for i, report := range []string{`{"list":["a"]}`, `{"list":["b"]}`, `{"note":"` + long + `"}`} {
		w.ended(all.Items[i], call.CallOutcome{Status: call.Completed, Report: []byte(report)})
	}
	found, err := w.store.FindCampaign(t.Context(), "acme", made.ID)
	w.must(err)
	for slot, values := range found.Tally.People.Answers {
		for value, n := range values {
			q := url.Values{"slot": {slot}, "answer": {value}}
			shown := w.get(account.Viewer, path+"?"+q.Encode()).want(200).says(fmt.Sprintf(`id="people-count">%d<`, n))
			if rows := strings.Count(shown.Body.String(), `<th scope="row">`); rows != n {
				t.Errorf("%s %q lists %d people, want %d", slot, value, rows, n)
			}
		}
	}
	if len(found.Tally.People.Answers["list"]) != 2 || len(found.Tally.People.Answers["note"]) != 1 {
		t.Errorf("the answers are %v", found.Tally.People.Answers)
	}
}

// TestCampaignCountsPeople: a person whose retry was answered counts once, as reached; each count leads to as many
// people, and the list of campaigns, the question before a retry and the report count the same.
func TestCampaignCountsPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made := w.campaignOf("acme", "Visits", 3)
	path := "/campaigns/" + made.ID
	all, err := w.store.CallsPage(t.Context(), "acme", store.CallFilter{CampaignID: made.ID, Limit: 10, Ascending: true})
	w.must(err)
	confirmed := call.CallOutcome{Status: call.Completed, Report: []byte(`{"confirmed":true}`)}
	unreached := call.CallOutcome{Status: call.NoAnswer}
	w.get(account.Viewer, path).want(200).says("0 of 3 people done")
	w.ended(all.Items[0], unreached)
	again := all.Items[0]
	again.ID, again.CreatedAt = call.NewID(), again.CreatedAt.Add(time.Minute)
	_, err = w.store.RetryCampaign(t.Context(), "acme", made.ID, map[string]call.Call{all.Items[0].ID: again}, "test", w.now)
	w.must(err)
	w.ended(again, confirmed)
	w.ended(all.Items[1], confirmed)
	w.ended(all.Items[2], unreached)
	found := w.get(account.Viewer, path).want(200).says("3 of 3 people done", "100%", `id="unreached"`)
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
		w.get(account.Viewer, address).want(200).says(`id="people-count">`+link[2]+"<", "Visits")
		delete(want, query)
	}
	if len(want) > 0 {
		t.Errorf("no links to %v", want)
	}
	w.get(account.Viewer, path+"/people?status=unreached").want(200).says(all.Items[2].PhoneNumber).
		not(all.Items[0].PhoneNumber)
	w.get(account.Viewer, path+"/people").want(200).says(`id="people-count">3<`)
	w.get(account.Viewer, path+"/people?cursor=99").want(http.StatusUnprocessableEntity)
	w.get(account.Operator, path+"/retry").want(200).says("up to 1")
	list := w.get(account.Viewer, "/campaigns").want(200).says("3 of 3 people done")
	for _, link := range links.FindAllStringSubmatch(list.Body.String(), -1) {
		w.get(account.Viewer, html.UnescapeString(link[1])).want(200).says(`id="people-count">` + link[2] + "<")
	}
	_, err = w.store.ErasePerson(t.Context(), "acme", again.PhoneNumber, "test", w.now)
	w.must(err)
	w.get(account.Viewer, path).want(200).says("3 of 3 people done")
	w.get(account.Viewer, path+"/people?answer=true&slot=confirmed").want(200).says(`id="people-count">1<`)
	w.get(account.Viewer, "/campaigns/"+campaign.NewID()+"/people").want(http.StatusNotFound)
}
