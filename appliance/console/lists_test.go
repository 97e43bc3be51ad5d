package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"munadi/store/account"
	"munadi/store/call"
)

// TestListByAnswer checks that answers are shown in the rows and filter the list, that calls ended by staff are neither
// completed nor failed, and that chips show the number of calls.
func TestListByAnswer(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for i := range 6 {
		c := d.bookCall("acme", fmt.Sprintf("+96651234560%d", i), nil)
		d.endCall(c, call.CallOutcome{
			Status: call.Completed, EndedBy: call.ByCustomer, Report: json.RawMessage(fmt.Sprintf(`{"confirmed":%t}`, i < 4)),
		})
	}
	d.endCall(d.bookCall("acme", "+966512345610", nil), call.CallOutcome{Status: call.Completed, EndedBy: call.ByOperator})
	d.endCall(d.bookCall("acme", "+966512345611", nil), call.CallOutcome{Status: call.Failed, EndedBy: call.ByOperator})
	d.endCall(d.bookCall("acme", "+966512345612", nil), call.CallOutcome{Status: call.Failed, Failure: &call.CallFailure{Reason: call.NoCarrier}})
	d.bookCall("acme", "+966512345613", nil)
	for query, n := range map[string]int{
		"slot=confirmed&answer=true": 4, "slot=confirmed&answer=false": 2, "slot=confirmed&answer=true&number=03": 1,
		"slot=confirmed": 10, "status=stopped": 2, "status=completed": 6, "status=failed": 1, "status=running": 0, "order=asc": 10,
	} {
		if got := strings.Count(d.getPage(account.Viewer, "/calls?"+query).wantStatus(200).Body.String(), "<tr data-id="); got != n {
			t.Errorf("%s: %d rows, want %d", query, got, n)
		}
	}
	page := d.getPage(account.Viewer, "/calls").wantTexts("Ended by staff", "Confirmed", ">Yes", `<b class="chip-count">4</b>`)
	if strings.Contains(page.Body.String(), "status=no_answer") {
		t.Error("a chip without calls is offered")
	}
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts("of 9 that ended", "of 6 answers", "Confirmed today")
}

// TestRunningCallsComeFirst checks that running calls are listed first and once, whatever their due time.
func TestRunningCallsComeFirst(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for i := range 55 {
		d.bookCall("acme", fmt.Sprintf("+9665000000%02d", i), nil)
	}
	early := d.bookCall("acme", "+966599999999", func(c *call.Call) { c.ScheduledAt = d.now.Add(-time.Hour) })
	if _, err := d.store.ReleaseCall(t.Context(), "acme", early.ID, d.now); err != nil {
		t.Fatal(err)
	}
	body := d.getPage(account.Viewer, "/calls").wantStatus(200).Body.String()
	if first := strings.SplitAfter(body, "<tr data-id=")[1]; !strings.Contains(first, early.ID) {
		t.Errorf("the first row is %.60s", first)
	}
	if n := strings.Count(body, "<tr data-id="); n != 51 {
		t.Errorf("%d rows beside the running one", n-1)
	}
	if strings.Contains(d.getPage(account.Viewer, linkOf(t, body, "Next page")).Body.String(), early.ID) {
		t.Error("the running call is listed twice")
	}
}

// TestBulkPages checks that the page counts the matching calls, and that a waiting change can be undone.
func TestBulkPages(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for i := range 3 {
		d.bookCall("acme", fmt.Sprintf("+96651234560%d", i), nil)
	}
	d.getPage(account.Viewer, "/calls/bulk").wantStatus(http.StatusForbidden)
	d.getPage(account.Operator, "/calls/bulk?number=01").wantStatus(200).wantTexts("One scheduled call matches")
	d.getPage(account.Operator, "/calls/bulk").wantStatus(200).wantTexts("3 scheduled calls match")
	d.postForm(account.Operator, "/calls/bulk", url.Values{"action": {"move"}, "at": {"x"}}).wantStatus(http.StatusUnprocessableEntity)
	at := d.postForm(account.Operator, "/calls/bulk", url.Values{"action": {"cancel"}}).wantStatus(http.StatusSeeOther).Header().Get("Location")
	path := strings.TrimPrefix(at, "/console")
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("3 calls will be cancelled", "Undo", "/undo")
	d.postForm(account.Operator, path+"/undo", url.Values{}).wantStatus(http.StatusSeeOther)
	d.getPage(account.Operator, path).wantTexts("nothing has changed")
	d.getPage(account.Operator, "/calls/bulk/nonsense").wantStatus(http.StatusNotFound)
	// a change that no longer exists
	lost := d.getPage(account.Operator, "/calls/bulk/"+anyUUID).wantStatus(http.StatusSeeOther)
	if at := lost.Header().Get("Location"); at != "/console/calls" {
		t.Errorf("a change that is no longer known leads to %s", at)
	}
	for code := http.StatusSeeOther; code != http.StatusTooManyRequests; {
		answer := d.postForm(account.Operator, "/calls/bulk", url.Values{"action": {"cancel"}})
		if code = answer.Code; code != http.StatusSeeOther && code != http.StatusTooManyRequests {
			t.Fatalf("one change after another: %d", code)
		}
		if code == http.StatusTooManyRequests && answer.Header().Get("Retry-After") == "" {
			t.Error("429 without Retry-After")
		}
	}
}
