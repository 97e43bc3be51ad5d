package console_test

import (
	"net/url"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
)

// TestPersonPage: a person's page has every call, the name, the newest answers, and the suppression; another
// organization and a number that was never booked see nothing.
func TestPersonPage(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	first := d.booked("acme", anyNumber, func(c *call.Call) {
		c.ScenarioID, c.Variables = "appointment_confirmation", map[string]any{"name": "سارة الأحمد"}
	})
	d.ended(first, call.CallOutcome{Status: call.Completed, Report: []byte(`{"confirmed":true,"new_date":null}`)})
	second := d.booked("acme", anyNumber, func(c *call.Call) { c.ScheduledAt = d.now.Add(time.Hour) })
	path := "/people/" + url.PathEscape(anyNumber)
	d.get(account.Viewer, path).want(200).
		says("سارة الأحمد", anyNumber, first.ID, second.ID, "Confirmed", "Yes").not("new_date", "New date", "Call again", "Don't call again")
	d.get(account.Operator, path).want(200).says("Call again", "Don't call again", "/erase")
	d.get(account.Viewer, "/people/"+url.PathEscape("+966500009999")).want(404)
	d.get(account.Viewer, "/people/nobody").want(404)

	d.post(account.Operator, "/rules/suppressions", form("from", "person", "number", anyNumber, "reason", "asked us")).want(303)
	d.get(account.Operator, path).want(200).says("suppression list", "asked us").not("Call again")
}

// TestPersonOfSuppression: a number that is only on the suppression list has a page.
func TestPersonOfSuppression(t *testing.T) {
	t.Parallel()
	d := newCallDesk(t)
	entry := callrules.SuppressionEntry{OrgID: "acme", PhoneNumber: anyNumber, Source: "api", CreatedAt: d.now}
	if err := d.store.AddSuppressions(t.Context(), []callrules.SuppressionEntry{entry}, "key:1", d.now); err != nil {
		t.Fatal(err)
	}
	d.get(account.Viewer, "/people/"+url.PathEscape(anyNumber)).want(200).says("no calls to this number")
}
