package console_test

import (
	"net/url"
	"testing"
	"time"

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
		wantTexts("سارة الأحمد", anyNumber, first.ID, second.ID, "Confirmed", "Yes").wantNoTexts("new_date", "New date", "Call again", "Add to the suppression list")
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("Call again", "Add to the suppression list", "/erase")
	d.getPage(account.Viewer, "/people/"+url.PathEscape("+966500009999")).wantStatus(404)
	d.getPage(account.Viewer, "/people/nobody").wantStatus(404)

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
