package console_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/console/kit"
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
	for query, n := range map[string]int{ // a chip has the number of calls that it leads to, or none
		"slot=confirmed&answer=true": 2, "slot=confirmed&answer=true&status=completed": 0, "status=completed": 5,
	} {
		if got := strings.Count(d.getPage(account.Viewer, "/calls?"+query).Body.String(), "chip-count"); got != n {
			t.Errorf("%s: %d chips have numbers, want %d", query, got, n)
		}
	}
	d.getPage(account.Viewer, "").wantStatus(200).wantTexts("of 9 that ended", "of 6 answers", "Confirmed today")
}

// TestListByTypedAnswer checks that of a question with many answers the most frequent are links and all others can be
// typed, as they are stored and as the page calls them, also answers that no counter has.
func TestListByTypedAnswer(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for i := range 9 {
		for j := range 1 + i/8 { // the last one twice
			c := d.bookCall("acme", fmt.Sprintf("+9665123456%d%d", i, j), nil)
			report := fmt.Sprintf(`{"paint":"dish_number_%d"}`, i)
			d.endCall(c, call.CallOutcome{Status: call.Completed, EndedBy: call.ByCustomer, Report: json.RawMessage(report)})
		}
	}
	page := d.getPage(account.Viewer, "/calls").wantTexts(`>dish number 8</bdi> <b class="chip-count">2<`, `<option value="dish number 7">`,
		`type="hidden" name="slot" value="paint"`)
	if n := strings.Count(page.Body.String(), "answer=dish_number_"); n != 5 {
		t.Errorf("%d answers are links", n)
	}
	for typed, want := range map[string]string{
		"dish_number_7": ">dish number 7</bdi> <b class=\"chip-count\">1<", "dish number 7": ">dish number 7</bdi>", "dish number 8": ">dish number 8</bdi>",
	} {
		body := d.getPage(account.Viewer, "/calls?slot=paint&answer="+url.QueryEscape(typed)).wantStatus(200).wantTexts(want).Body.String()
		if got := strings.Count(body, "<tr data-id="); got != 1+strings.Count(typed, "8") {
			t.Errorf("%s: %d rows", typed, got)
		}
	}
	d.getPage(account.Viewer, "/calls?slot=paint&answer=soup").wantStatus(200).wantTexts(">soup</bdi>", "No call matches").wantNoTexts("scheduled calls come after")
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

// TestUsualOrder checks that the list begins with what runs and what has happened, the latest first, whatever is booked
// for later; that scheduled calls follow, the next first, counted above the list; and that its pages have every call
// once, also where one part of the order fills a page.
func TestUsualOrder(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	n := 0
	book := func(after time.Duration) call.Call {
		n++
		return d.bookCall("acme", fmt.Sprintf("+9665000%05d", n), func(c *call.Call) { c.ScheduledAt = d.now.Add(after) })
	}
	end := func(after time.Duration) string {
		return d.endCall(book(after), call.CallOutcome{Status: call.Completed, EndedBy: call.ByCustomer}).ID
	}
	var want []string
	running := book(-3 * time.Hour)
	_, err := d.store.ReleaseCall(t.Context(), "acme", running.ID, d.now)
	d.mustSucceed(err)
	want = append(want, running.ID)
	for i := range 50 {
		want = append(want, end(-time.Duration(i)*time.Minute))
	}
	d.wantOrder(want, "/calls")
	waiting, later, soon := book(-2*time.Hour), book(7*24*time.Hour), book(time.Hour)
	stopped, err := d.store.CancelCall(t.Context(), "acme", book(24*time.Hour).ID, "test", d.now)
	d.mustSucceed(err)
	want = append(want, waiting.ID, soon.ID, later.ID, stopped.ID)
	d.wantOrder(want, "/calls")
	for i := range 3 {
		want = slices.Insert(want, 51, end(-time.Duration(90-i)*time.Minute))
	}
	d.wantOrder(want, "/calls")
	d.wantOrder([]string{later.ID}, "/calls?from="+d.now.Add(48*time.Hour).Format("2006-01-02"))
	d.wantOrder([]string{stopped.ID}, "/calls?status=cancelled")
	page := d.getPage(account.Viewer, "/calls").wantTexts("3 scheduled calls come after those that have ended.", "order=asc", `href="/console/calls?status=scheduled"`)
	if strings.Contains(page.Body.String(), soon.ID) {
		t.Error("the first page has what is booked for later")
	}
	d.getPage(account.Viewer, "/calls?order=asc").wantTexts(`href="/console/calls"`).wantNoTexts("come after those")
	d.getPage(account.Viewer, "/calls?order=desc").wantTexts(later.ID).wantNoTexts("come after those")
	csv := d.getPage(account.Viewer, "/calls.csv").wantStatus(200).Body.String()
	if got := strings.Count(csv, "+9665000"); got != len(want) {
		t.Errorf("%d calls in the file, want %d", got, len(want))
	}
	for _, bad := range []string{"0.1.x", "-1.0.", "0.x.", "1.99999999999999999999."} {
		d.getPage(account.Viewer, "/calls?cursor="+bad).wantStatus(http.StatusUnprocessableEntity)
	}
}

// dialWhileRead is the receiver of a file that releases a call, and ends another, once a page of it has come.
type dialWhileRead struct {
	*httptest.ResponseRecorder
	change func()
}

func (w *dialWhileRead) Write(b []byte) (int, error) {
	n, err := w.ResponseRecorder.Write(b)
	if w.change != nil && w.Body.Len() > 10_000 {
		w.change()
		w.change = nil
	}
	return n, err
}

// TestFilesHaveCallsThatMoveMeanwhile: a call that is dialled while a file is read, and one that ends, are there once.
func TestFilesHaveCallsThatMoveMeanwhile(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/calls.csv", "/calls.csv?order=asc"} {
		d := newCallBench(t)
		book := func(n int, after time.Duration) call.Call {
			return d.bookCall("acme", fmt.Sprintf("+9665000%05d", n), func(c *call.Call) { c.ScheduledAt = d.now.Add(after) })
		}
		ended := call.CallOutcome{Status: call.Completed, EndedBy: call.ByCustomer}
		for i := range 2 * kit.MaxStorePage {
			d.endCall(book(i, -time.Duration(i+2)*time.Minute), ended)
		}
		due, running := book(1001, -time.Minute), book(1002, -300*time.Minute)
		_, err := d.store.ReleaseCall(t.Context(), "acme", running.ID, d.now)
		d.mustSucceed(err)
		r := httptest.NewRequest(http.MethodGet, "/console"+path, nil)
		r.AddCookie(&http.Cookie{Name: "munadi_session", Value: string(account.Viewer)})
		w := &dialWhileRead{httptest.NewRecorder(), func() {
			_, err := d.store.ReleaseCall(t.Context(), "acme", due.ID, d.now)
			d.mustSucceed(err)
			_, err = d.store.FinishCall(t.Context(), "acme", running.ID, call.CallOutcome{
				Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout},
			}, nil, d.now)
			d.mustSucceed(err)
		}}
		d.echo.ServeHTTP(w, r)
		if w.change != nil {
			t.Fatal("nothing changed while the file was read")
		}
		for _, id := range []string{due.ID, running.ID} {
			if n := strings.Count(w.Body.String(), ","+id+","); n != 1 {
				t.Errorf("%s: a call that moved meanwhile has %d rows", path, n)
			}
		}
	}
}

// wantOrder checks the ids of the calls of a list on all its pages.
func (d *callBench) wantOrder(want []string, path string) {
	d.t.Helper()
	var got []string
	for more := true; more; {
		body := d.getPage(account.Viewer, path).wantStatus(200).Body.String()
		for _, row := range strings.Split(body, `<tr data-id="`)[1:] {
			got = append(got, row[:strings.Index(row, `"`)])
		}
		if more = strings.Contains(body, "Next page"); more {
			path = linkOf(d.t, body, "Next page")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.t.Error(diff)
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
