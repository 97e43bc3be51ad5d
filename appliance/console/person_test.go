package console_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
)

// TestPersonPage checks that a person's page has every call, the name, the newest answers and the suppression, and that
// it is 404 for another organization or an unknown number.
func TestPersonPage(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	first := d.bookCall("acme", anyNumber, func(c *call.Call) {
		c.ScenarioID, c.Variables = "appointment_confirmation", map[string]any{"name": "سارة الأحمد"}
	})
	d.endCall(first, call.CallOutcome{Status: call.Completed, Report: []byte(`{"confirmed":true,"new_date":null}`)})
	second := d.bookCall("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now.Add(time.Hour) })
	path := "/people/" + url.PathEscape(anyNumber)
	d.getPage(account.Viewer, path).wantStatus(200).
		wantTexts("سارة الأحمد", anyNumber, first.ID, second.ID, "Confirmed", "Yes").wantNoTexts("new_date", "New date", "Call again", "Add to the suppression list", "/export")
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("Call again", "Add to the suppression list", "/erase")
	d.getPage(account.Viewer, "/people/"+url.PathEscape("+966500009999")).wantStatus(404)
	d.getPage(account.Viewer, "/people/nobody").wantStatus(404)
	for _, written := range []string{"0512345601", "٠٥١٢٣٤٥٦٠١"} {
		d.getPage(account.Viewer, "/people/"+url.PathEscape(written)).wantStatus(200).wantTexts(first.ID)
	}

	d.postForm(account.Operator, "/rules/suppressions", newForm("from", "person", "number", anyNumber, "reason", "asked us")).wantStatus(303)
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("suppression list", "asked us").wantNoTexts("Call again")
}

// TestPersonOfSuppression checks that a number that is only on the suppression list has a page.
func TestPersonOfSuppression(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	entry := callrules.SuppressionEntry{OrgID: "acme", PhoneNumber: anyNumber, Source: "api", CreatedAt: d.now}
	if err := d.store.AddSuppressions(t.Context(), []callrules.SuppressionEntry{entry}, "key:1", d.now); err != nil {
		t.Fatal(err)
	}
	d.getPage(account.Viewer, "/people/"+url.PathEscape(anyNumber)).wantStatus(200).wantTexts("no calls to this number")
}

// TestPersonConversation checks that the page has the words of every call, with the sound of those that were recorded.
func TestPersonConversation(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for i, said := range []string{"نعم أؤكد", "<لا> أستطيع"} {
		c := d.bookCall("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now.Add(time.Duration(i) * 48 * time.Hour) })
		d.endCall(c, call.CallOutcome{Status: call.Completed, Messages: []call.Message{{Role: call.Assistant, Content: "هل تؤكد؟"}, {Role: call.User, Content: said}}})
	}
	d.getPage(account.Viewer, "/people/"+url.PathEscape(anyNumber)).wantStatus(200).
		wantTexts("هل تؤكد؟", "نعم أؤكد", "<لا> أستطيع", "bubble user").wantNoTexts("<لا>", "<audio")
}

// TestPersonExport checks that the archive has all calls of the person with words and events, and the recordings; that
// it is noted in the audit log; and that another organization's person, and one that nobody called, is not found.
func TestPersonExport(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	one := d.bookCall("acme", anyNumber, nil)
	d.endCall(one, call.CallOutcome{Status: call.Completed, Messages: []call.Message{{Role: call.User, Content: "نعم أؤكد"}}})
	d.bookCall("acme", anyNumber, func(c *call.Call) { c.CreatedAt = d.now.Add(time.Minute) })
	d.bookCall("acme", "+966512345602", nil)
	d.bookCall("other", "+966512345609", nil)
	path := "/people/" + url.PathEscape(anyNumber) + "/export"
	d.postForm(account.Viewer, path, url.Values{}).wantStatus(403)
	for _, number := range []string{"+966512345609", "+966512345610", "nobody"} {
		d.postForm(account.Operator, "/people/"+url.PathEscape(number)+"/export", url.Values{}).wantStatus(404)
	}
	sent := d.postForm(account.Operator, path, url.Values{}).wantStatus(200)
	if got := sent.Header().Get("Content-Disposition"); got != `attachment; filename="person-966512345601.zip"` {
		t.Errorf("the file is %s", got)
	}
	archive, err := zip.NewReader(bytes.NewReader(sent.Body.Bytes()), int64(sent.Body.Len()))
	d.mustSucceed(err)
	var all []service.ExportedCall
	readPart(t, archive, "calls.json", &all)
	if len(all) != 2 || all[0].Call.Messages[0].Content != "نعم أؤكد" || len(all[0].Timeline) < 2 || all[1].Call.PhoneNumber != anyNumber {
		t.Errorf("the calls are %+v", all)
	}
	var summary service.PersonSummary
	readPart(t, archive, "summary.json", &summary)
	if summary.Calls != 2 || summary.Recordings != 0 || len(summary.Missing) != 0 || summary.Unreadable {
		t.Errorf("the summary is %+v", summary)
	}
	trail, err := d.store.AuditTrail(t.Context(), "acme", 10, "")
	d.mustSucceed(err)
	exported := 0
	for _, entry := range trail.Items {
		if entry.Action == "person.export" && entry.Subject == call.MaskNumber(anyNumber) {
			exported++
		}
	}
	if exported != 1 {
		t.Errorf("the audit log is %+v", trail.Items)
	}
}

// readPart decodes a JSON file of an archive.
func readPart(t *testing.T, archive *zip.Reader, name string, to any) {
	t.Helper()
	in, err := archive.Open(name)
	if err == nil {
		err = json.NewDecoder(in).Decode(to)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
