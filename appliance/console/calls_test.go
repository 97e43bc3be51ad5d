package console_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"munadi/appliance/console"
	"munadi/appliance/console/kit"
	"munadi/appliance/ssehub"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/live"
	"munadi/store/scenario"
	"munadi/store/storetest"
)

const anyNumber = "+966512345601"

// callBench is a bench with scenarios, recordings and a hub.
type callBench struct {
	*consoleBench
	recordings    *blob.RecordingFolder
	recordingsDir string
	events        *ssehub.EventHub
}

func newCallBench(t *testing.T, change ...func(*console.Dependencies)) *callBench {
	t.Helper()
	builtIn := builtInScenarios(t)
	d := &callBench{events: ssehub.NewHub(ssehub.HubOptions{})}
	t.Cleanup(d.events.Close)
	var err error
	d.recordingsDir = t.TempDir()
	if d.recordings, err = blob.OpenFolder(d.recordingsDir); err != nil {
		t.Fatal(err)
	}
	d.consoleBench = newBench(t, func(deps *console.Dependencies) {
		deps.UseCases.BuiltIn = func() []scenario.Scenario { return builtIn }
		deps.Vitals = func() kit.ApplianceVitals { return kit.ApplianceVitals{} }
		deps.UseCases.Recordings = d.recordings
		deps.Calls.Recordings, deps.Events, deps.Calls.Sound = d.recordings, d.events, ssehub.NewSoundHub()
		for _, f := range change {
			f(deps)
		}
	})
	return d
}

// bookCall books a call of an organization in the store.
func (d *callBench) bookCall(orgID, number string, change func(*call.Call)) call.Call {
	d.t.Helper()
	c := call.Call{
		ID: call.NewID(), OrgID: orgID, Status: call.Scheduled, PhoneNumber: number, ScenarioID: "restaurant_order",
		Booking: call.Booked, CreatedAt: d.now, ScheduledAt: d.now.Add(time.Hour),
		Attempt: call.AttemptChain{Number: 1, Max: 1, Plan: call.RetryPlan{MaxAttempts: 1}},
	}
	c.Attempt.ChainID = c.ID
	if change != nil {
		change(&c)
	}
	_, err := d.store.BookCall(d.t.Context(), c, "test", nil)
	d.mustSucceed(err)
	return c
}

// endCall runs a booked call to an outcome.
func (d *callBench) endCall(c call.Call, o call.CallOutcome) call.Call {
	d.t.Helper()
	ctx := d.t.Context()
	c, err := d.store.FindCall(ctx, c.OrgID, c.ID) // it may have been rescheduled
	d.mustSucceed(err)
	_, err = d.store.ReleaseCall(ctx, c.OrgID, c.ID, c.ScheduledAt)
	d.mustSucceed(err)
	if o.Status == call.Completed {
		_, err = d.store.AnswerCall(ctx, c.OrgID, c.ID, o.Recording, d.now)
		d.mustSucceed(err)
	}
	c, err = d.store.FinishCall(ctx, c.OrgID, c.ID, o, nil, d.now)
	d.mustSucceed(err)
	return c
}

// recordTalk writes a recording of one second: the customer loud, the platform half as loud.
func (d *callBench) recordTalk(c call.Call) call.CallOutcome {
	d.t.Helper()
	name, seconds := blob.RecordingName(c.OrgID, c.ID), 5
	tape, err := d.recordings.CreateRecording(name)
	d.mustSucceed(err)
	left, right := make([]int16, blob.Rate), make([]int16, blob.Rate)
	for i := range left {
		left[i], right[i] = -32768, 16384
	}
	d.mustSucceed(tape.AppendFrames(left, right))
	d.mustSucceed(tape.Close())
	return call.CallOutcome{
		Status: call.Completed, Duration: &seconds, Recording: name, RecordingSum: tape.Sum(), Report: []byte(`{"zeta":true,"alpha":null,"n":2}`),
		Messages: []call.Message{
			{Role: call.Assistant, Content: "السلام عليكم <b>", Start: 0.5, End: 2, Confidence: 1},
			{Role: call.User, Content: "نعم أؤكد", Start: 2.5, End: 4, Confidence: 0.9},
		},
		Errors: []call.CallError{{Code: "no_input", Message: "nothing was said", At: 1}},
	}
}

func TestCallsListFilters(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.getPage(account.Viewer, "/calls").wantStatus(200).wantTexts("No calls yet").wantNoTexts("/console/calls/new\">New")
	ours := d.bookCall("acme", anyNumber, nil)
	d.endCall(d.bookCall("acme", "+966512345602", nil), call.CallOutcome{
		Status: call.UserRejected, Failure: &call.CallFailure{Reason: call.Busy},
	})
	d.bookCall("other", "+966512345603", nil)
	d.getPage(account.Operator, "/calls").wantStatus(200).wantTexts(anyNumber, "+966512345602", "The line was busy", ours.ID).wantNoTexts("+966512345603")
	for query, n := range map[string]int{
		"status=scheduled": 1, "status=user_rejected": 1, "status=failed": 0,
		"number=" + url.QueryEscape(anyNumber): 1, "number=45602": 1, "number=99": 0, "number=00966512345601": 1,
		"scenario=restaurant_order": 2, "scenario=other": 0,
		"from=2026-11-21&to=2026-11-21": 2, "to=2026-11-20": 0, "from=2026-11-22": 0,
	} {
		body := d.getPage(account.Operator, "/calls?"+query).wantStatus(200).Body.String()
		if got := strings.Count(body, "<tr data-id="); got != n {
			t.Errorf("%s: %d rows, want %d", query, got, n)
		}
		if n == 0 && !strings.Contains(body, "No call matches") {
			t.Errorf("%s: says nothing", query)
		}
	}
	d.getPage(account.Viewer, "/calls").wantNoTexts(`type="checkbox"`, "/campaigns/new")
	d.getPage(account.Operator, "/calls?cursor=nonsense").wantStatus(http.StatusUnprocessableEntity)
}

func TestCallsListPages(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for i := range 60 {
		d.bookCall("acme", fmt.Sprintf("+9665000000%02d", i), func(c *call.Call) { c.CreatedAt = d.now.Add(time.Duration(i) * time.Second) })
	}
	first := d.getPage(account.Viewer, "/calls?status=scheduled").wantTexts("+966500000009").wantNoTexts("+966500000059<")
	older := linkOf(t, first.Body.String(), "Next page")
	d.getPage(account.Viewer, older).wantTexts("+966500000059", "First page").wantNoTexts("+966500000009<", "Next page")
	d.getPage(account.Viewer, "/calls").wantTexts("+966500000009", `aria-sort="descending"`).wantNoTexts("+966500000059<")
	d.getPage(account.Viewer, "/calls?order=desc").wantTexts("+966500000059", `aria-sort="descending"`).wantNoTexts("+966500000009<")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(d.getPage(account.Viewer, "/calls.csv").wantStatus(200).Body.String(), "\uFEFF"))).ReadAll()
	if err != nil || len(rows) != 61 || rows[0][1] != "Number" || rows[1][1] != "+966500000000" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestCallsAsWorkbook checks that the list is offered as a workbook with the columns of the CSV file: the name first,
// local times, numbers as they are written.
func TestCallsAsWorkbook(t *testing.T) {
	t.Parallel()
	d := newCairoBench(t)
	seconds := 83
	d.bookCall("acme", "+966500000001", func(c *call.Call) {
		c.ScenarioID, c.Variables, c.Duration = "appointment_confirmation", map[string]any{"name": "=1+2"}, &seconds
		c.CreatedAt = time.Date(2026, 11, 20, 22, 30, 0, 0, time.UTC)
	})
	d.bookCall("other", "+966500000002", nil)
	file := d.getPage(account.Viewer, "/calls.xlsx").wantStatus(200)
	book, err := excelize.OpenReader(bytes.NewReader(file.Body.Bytes()))
	d.mustSucceed(err)
	rows, err := book.GetRows("Calls")
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(d.getPage(account.Viewer, "/calls.csv").Body.String(), "\uFEFF"))).ReadAll()
	if diff := cmp.Diff(lines[0], rows[0]); diff != "" || err != nil {
		t.Errorf("the columns differ from the CSV file's: %s, %v", diff, err)
	}
	cells := map[string]string{}
	for i, cell := range rows[1] {
		cells[rows[0][i]] = cell
	}
	for column, want := range map[string]string{
		"Person": "=1+2", "Number": "+966500000001", "Created": "2026-11-21 00:30", "Length in seconds": "83",
	} {
		if cells[column] != want {
			t.Errorf("%s is %q, want %q", column, cells[column], want)
		}
	}
	d.getPage(account.Viewer, "/calls.xlsx?status=failed").wantStatus(200)
}

// linkOf returns the address of the link before a text, below /console.
func linkOf(t *testing.T, body, word string) string {
	t.Helper()
	before, _, found := strings.Cut(body, "<span>"+word)
	i := strings.LastIndex(before, `href="/console`)
	if !found || i < 0 {
		t.Fatalf("no link to %s", word)
	}
	address, _, _ := strings.Cut(before[i+len(`href="/console`):], `"`)
	return strings.ReplaceAll(address, "&amp;", "&")
}

func TestBookACall(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.getPage(account.Viewer, "/calls/new").wantStatus(http.StatusForbidden)
	form := d.getPage(account.Operator, "/calls/new?scenario=appointment_confirmation").wantStatus(200).formValues("/console/calls")
	form.Set("phone_number", "\u200e00966 51-234 5601")
	form.Set("max_attempts", "٣")
	form.Set("delay_minutes", "٥؛ 10")
	form.Set("var.name", "سارة")
	form = d.postForm(account.Operator, "/calls", form).wantStatus(http.StatusUnprocessableEntity).
		wantTexts("Doctor is missing, and the call speaks it", `" autofocus> <span>`).wantNoTexts("required autofocus").formValues("/console/calls")
	form.Set("confirm", "missing_value.date missing_value.time missing_value.doctor")
	address := d.postForm(account.Operator, "/calls", form).wantStatus(http.StatusSeeOther).Header().Get("Location")
	found, err := d.store.FindCall(t.Context(), "acme", strings.TrimPrefix(address, "/console/calls/"))
	d.mustSucceed(err)
	if found.PhoneNumber != anyNumber || found.Booking != call.Immediate || found.Attempt.Max != 3 ||
		fmt.Sprint(found.Attempt.Plan.DelayMinutes) != "[5 10]" || fmt.Sprint(found.Variables) != "map[name:سارة]" {
		t.Errorf("%+v", found)
	}
	d.postForm(account.Operator, "/calls", form).wantRedirect(address) // submitted twice
	d.getPage(account.Viewer, "/calls?number=0512345601").wantStatus(200).wantTexts(anyNumber)
	for _, typed := range []string{"0512345601", "٠٥١٢٣٤٥٦٠١", "966512345601", "512345601"} { // as people write it
		again := d.getPage(account.Operator, "/calls/new?scenario=restaurant_order").formValues("/console/calls")
		again.Set("phone_number", typed)
		again.Set("var.total", "75")
		at := d.postForm(account.Operator, "/calls", again).wantStatus(http.StatusSeeOther).Header().Get("Location")
		if c, err := d.store.FindCall(t.Context(), "acme", strings.TrimPrefix(at, "/console/calls/")); err != nil || c.PhoneNumber != anyNumber {
			t.Errorf("%s is %+v, %v", typed, c.PhoneNumber, err)
		}
	}
	if all, _ := d.store.CallsPage(t.Context(), "acme", store.CallFilter{Limit: 10}); len(all.Items) != 5 {
		t.Errorf("%d calls", len(all.Items))
	}
}

func TestBookACallAtATime(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	d.mustSucceed(storetest.ReplaceRules(t.Context(), d.store, "acme", callrules.CallRules{
		TimeZone: "Asia/Riyadh", CallingHours: callrules.CallingHours{"sunday": {{From: "09:00", To: "17:00"}}},
	}, "test", d.now))
	d.getPage(account.Operator, "/calls/new").wantStatus(200).wantTexts("Asia/Riyadh", "09:00–17:00", "closed")
	for at, want := range map[string]string{
		"2026-11-22T10:00": "2026-11-22T07:00:00Z", "2026-11-22T20:00": "2026-11-29T06:00:00Z",
	} {
		form := d.getPage(account.Operator, "/calls/new?scenario=restaurant_order").formValues("/console/calls")
		form.Set("phone_number", anyNumber)
		form.Set("var.total", "75")
		form.Set("when", "at")
		form.Set("at", at)
		address := d.postForm(account.Operator, "/calls", form).wantStatus(http.StatusSeeOther).Header().Get("Location")
		found, err := d.store.FindCall(t.Context(), "acme", strings.TrimPrefix(address, "/console/calls/"))
		d.mustSucceed(err)
		if got := found.ScheduledAt.Format(time.RFC3339); got != want {
			t.Errorf("%s is dialled at %s, want %s", at, got, want)
		}
	}
}

// TestNowWithATimeIsRefused checks that "now" together with a time is refused with a question, and not dialled at once.
func TestNowWithATimeIsRefused(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	form := d.getPage(account.Operator, "/calls/new").formValues("/console/calls")
	form.Set("phone_number", anyNumber)
	form.Set("when", "now")
	form.Set("at", "2026-11-22T10:00")
	d.postForm(account.Operator, "/calls", form).wantStatus(http.StatusUnprocessableEntity).wantTexts("You wrote a time and chose Now", "2026-11-22T10:00")
	if all, _ := d.store.CallsPage(t.Context(), "acme", store.CallFilter{Limit: 10}); len(all.Items) != 0 {
		t.Errorf("%d calls", len(all.Items))
	}
}

// TestAnotherScenarioKeepsWhatWasTyped checks that selecting another scenario keeps number and time and shows the
// scenario's variables.
func TestAnotherScenarioKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	form := d.getPage(account.Operator, "/calls/new?scenario=restaurant_order").wantNoTexts("var.doctor").formValues("/console/calls")
	form.Set("phone_number", anyNumber)
	form.Set("when", "at")
	form.Set("at", "2026-11-22T10:00")
	form.Set("scenario_id", "appointment_confirmation")
	form.Set("other", "scenario")
	again := d.postForm(account.Operator, "/calls", form).wantStatus(200).wantTexts("var.doctor").formValues("/console/calls")
	for field, want := range map[string]string{
		"phone_number": anyNumber, "at": "2026-11-22T10:00", "scenario_id": "appointment_confirmation",
	} {
		if got := again.Get(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
}

func TestFaultsOfABooking(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	for field, c := range map[string]struct{ value, says string }{
		"phone_number":  {"+966 51 CALL 2345601", "not a complete telephone number"},
		"scenario_id":   {"nobody", "no scenario with this name"},
		"at":            {"2027-11-22T10:00", "30 days"},
		"max_attempts":  {"11", "1 to 10"},
		"delay_minutes": {"ten", "43200"},
		"var.name":      {strings.Repeat("x", 20_000), "at most 2000 characters"},
	} {
		form := d.getPage(account.Operator, "/calls/new?scenario=appointment_confirmation").formValues("/console/calls")
		form.Set("phone_number", anyNumber)
		if field == "at" {
			form.Set("when", "at")
		}
		form.Set(field, c.value)
		d.postForm(account.Operator, "/calls", form).wantStatus(http.StatusUnprocessableEntity).wantTexts(c.says)
	}
	form := d.getPage(account.Operator, "/calls/new").formValues("/console/calls")
	form.Set("once", "x")
	d.postForm(account.Operator, "/calls", form).wantStatus(http.StatusForbidden)
	d.postForm(account.Viewer, "/calls", url.Values{}).wantStatus(http.StatusForbidden)
	d.postForm(account.Operator, "/calls", url.Values{"csrf": {"wrong"}}).wantStatus(http.StatusForbidden)
}

// TestAnotherLanguageKeepsTheSearch checks that the language switch keeps the query.
func TestAnotherLanguageKeepsTheSearch(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	page := d.getPage(account.Operator, "/calls?lang=en&status=failed&number=%2B966").wantStatus(200)
	page.wantTexts(`href="/console/calls?lang=ar&number=%2B966&status=failed"`)
	if got := page.Header().Get("Content-Language"); got != "en" {
		t.Errorf("the language is said to be %q", got)
	}
}

func TestCancelCalls(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	one, two := d.bookCall("acme", anyNumber, nil), d.bookCall("acme", "+966512345602", nil)
	theirs := d.bookCall("other", "+966512345603", nil)
	d.getPage(account.Operator, "/calls/cancel").wantRedirect("/console/calls")
	query := url.Values{"id": {one.ID, two.ID, theirs.ID, "call_x"}}
	d.getPage(account.Operator, "/calls/cancel?"+query.Encode()).wantStatus(200).wantTexts(anyNumber, "+966512345602", "Yes, cancel").wantNoTexts("345603")
	d.postForm(account.Operator, "/calls/cancel", query).wantRedirect("/console/calls")
	for id, want := range map[string]call.CallStatus{one.ID: call.Cancelled, two.ID: call.Cancelled} {
		if found, err := d.store.FindCall(t.Context(), "acme", id); err != nil || found.Status != want {
			t.Errorf("%s: %v", found.Status, err)
		}
	}
	if found, _ := d.store.FindCall(t.Context(), "other", theirs.ID); found.Status != call.Scheduled {
		t.Error("another organization's call was cancelled")
	}
	d.postForm(account.Operator, "/calls/cancel", url.Values{"id": {one.ID}, "from": {"call"}}).wantRedirect("/console/calls/" + one.ID)
	d.postForm(account.Viewer, "/calls/cancel", query).wantStatus(http.StatusForbidden)
}

func TestOneCall(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, func(c *call.Call) { c.Metadata = map[string]string{"order": "7"} })
	c = d.endCall(c, d.recordTalk(c))
	path := "/calls/" + c.ID
	page := d.getPage(account.Operator, path).wantStatus(200).wantTexts(
		anyNumber, "Completed", "0:05", "السلام", "<b>", "no_input", "zeta", "unknown", "order", "Dialled", "Answered",
		"A simulated network", path+"/recording",
	).wantNoTexts("data-live", "<b>", `name="at"`)
	body := page.Body.String()
	if strings.Index(body, `data-slot="zeta"`) > strings.Index(body, `data-slot="alpha"`) {
		t.Error("the report is in another order")
	}
	d.getPage(account.Viewer, path).wantStatus(200).wantNoTexts("/erase", "/hangup")
	sound := d.getPage(account.Viewer, path+"/recording").wantStatus(200)
	if sound.Header().Get("Content-Type") != "audio/wav" || sound.Body.Len() != 44+4*blob.Rate {
		t.Errorf("%s of %d bytes", sound.Header().Get("Content-Type"), sound.Body.Len())
	}
	d.getPage(account.Viewer, path).wantStatus(200).wantTexts(`data-seconds="1.00"`, "v-54.0h", "v38.2h", "Customer: one turn, 0:01")
	d.getPage(account.Operator, path+"/hangup").wantRedirect("/console" + path)
	d.getPage(account.Operator, path+"/listen").wantStatus(http.StatusConflict)
	for _, missing := range []string{"/calls/call_x", "/calls/" + call.NewID(), "/calls/x/recording"} {
		d.getPage(account.Owner, missing).wantStatus(http.StatusNotFound)
	}
	theirs := d.bookCall("other", "+966512345603", nil)
	for _, part := range []string{"", "/events", "/recording", "/listen", "/hangup", "/erase"} {
		d.getPage(account.Owner, "/calls/"+theirs.ID+part).wantStatus(http.StatusNotFound)
	}
	d.postForm(account.Owner, "/calls/"+theirs.ID+"/hangup", url.Values{}).wantStatus(http.StatusNotFound)
	d.postForm(account.Owner, "/calls/"+theirs.ID+"/erase", url.Values{}).wantStatus(http.StatusNotFound)
}

// TestRecordingAway checks that a page offers no player for a recording whose file is missing here, and says why.
func TestRecordingAway(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, nil)
	c = d.endCall(c, d.recordTalk(c))
	if err := d.recordings.RemoveFile(c.Recording); err != nil {
		t.Fatal(err)
	}
	d.getPage(account.Operator, "/calls/"+c.ID).wantStatus(200).
		wantTexts("is on the appliance that made the call", "السلام").wantNoTexts("<audio", c.ID+"/recording", "no recording")
}

// TestRecordingDamaged checks that a damaged recording is not played, and that the page says so.
func TestRecordingDamaged(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, nil)
	c = d.endCall(c, d.recordTalk(c))
	d.mustSucceed(os.Truncate(filepath.Join(d.recordingsDir, c.Recording), 1000))
	d.getPage(account.Operator, "/calls/"+c.ID).wantStatus(200).
		wantTexts("The recording is damaged", "السلام").wantNoTexts("<audio", c.ID+"/recording", "no recording")
	d.getPage(account.Viewer, "/calls/"+c.ID+"/recording").wantStatus(http.StatusInternalServerError)
}

func TestEraseAPerson(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	c := d.over
	path := "/calls/" + c.ID
	d.getPage(account.Operator, path+"/erase").wantStatus(200).wantTexts("cannot be undone", c.PhoneNumber, "current-password")
	for _, password := range []string{"", "guess"} {
		d.postForm(account.Operator, path+"/erase", newForm("current", password)).wantStatus(http.StatusUnprocessableEntity).
			wantTexts("password is wrong", c.PhoneNumber)
	}
	if found, _ := d.store.FindCall(t.Context(), "acme", c.ID); len(found.Messages) == 0 {
		t.Fatal("erased without the password")
	}
	d.postForm(account.Viewer, path+"/erase", newForm("current", goodPassword)).wantStatus(http.StatusForbidden)
	d.postForm(account.Operator, path+"/erase", newForm("current", goodPassword)).wantRedirect("/console" + path)
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("data was erased").wantNoTexts(c.PhoneNumber, "السلام", "/recording")
	d.getPage(account.Operator, path+"/recording").wantStatus(http.StatusNotFound)
	if _, err := d.recordings.OpenRecording(t.Context(), c.Recording); err == nil {
		t.Error("the recording is there")
	}
	d.postForm(account.Operator, path+"/erase", url.Values{}).wantRedirect("/console" + path)
}

// TestErasureLocksGuesses: the password before an erasure can be guessed as rarely as that of a sign-in, and a lockout
// holds for the session that guesses only.
func TestErasureLocksGuesses(t *testing.T) {
	t.Parallel()
	d := newFixture(t)
	path := "/calls/" + d.over.ID + "/erase"
	status := 0
	for range 20 {
		if status = d.postForm(account.Operator, path, newForm("current", "guess")).Code; status != http.StatusUnprocessableEntity {
			break
		}
	}
	if status != http.StatusTooManyRequests {
		t.Fatalf("20 guesses are answered, the last one with %d", status)
	}
	d.postForm(account.Operator, path, newForm("current", goodPassword)).wantStatus(http.StatusTooManyRequests)
	if c, err := d.store.FindCall(t.Context(), "acme", d.over.ID); err != nil || c.ErasedAt != nil {
		t.Errorf("erased during the lockout: %+v, %v", c, err)
	}
	d.postForm(account.Owner, path, newForm("current", goodPassword)).wantRedirect("/console/calls/" + d.over.ID)
}

func TestRescheduleACall(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, nil)
	path := "/calls/" + c.ID
	form := d.getPage(account.Operator, path).wantStatus(200).formValues("/console" + path + "/reschedule")
	for at, moved := range map[string]bool{"2026-11-21T09:35": false, "nonsense": false, "2027-11-21T09:35": false, "2026-11-23T08:00": true} {
		form.Set("at", at)
		d.postForm(account.Operator, path+"/reschedule", form).wantRedirect("/console" + path)
		found, err := d.store.FindCall(t.Context(), "acme", c.ID)
		d.mustSucceed(err)
		if got := found.Booking == call.Rescheduled; moved && !got {
			t.Errorf("%s: %s", at, found.ScheduledAt)
		}
	}
	d.getPage(account.Operator, path).wantTexts("2026-11-23 08:00", "Time changed")
	d.endCall(c, call.CallOutcome{Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout}})
	form.Set("at", "2026-11-24T08:00")
	d.postForm(account.Operator, path+"/reschedule", form).wantRedirect("/console" + path)
	if found, _ := d.store.FindCall(t.Context(), "acme", c.ID); found.ScheduledAt.Day() == 24 {
		t.Error("an ended call was moved")
	}
}

func TestChainOfAttempts(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, func(c *call.Call) {
		c.Attempt.Max, c.Attempt.Plan = 3, call.RetryPlan{MaxAttempts: 3}
	})
	c = d.endCall(c, call.CallOutcome{Status: call.NoAnswer, Failure: &call.CallFailure{Reason: call.RingTimeout}})
	next := *c.Attempt.NextID
	d.getPage(account.Operator, "/calls/"+c.ID).wantTexts("Retry chain", "/console/calls/"+next, "2 of 3", "This call")
	d.getPage(account.Operator, "/calls/"+next).wantTexts("/console/calls/"+c.ID, "1 of 3", "Cancel the call")
	d.postForm(account.Operator, "/calls/cancel", url.Values{"id": {next}, "from": {"call"}}).wantRedirect("/console/calls/" + next)
	d.getPage(account.Operator, "/calls/"+next).wantTexts("Cancelled").wantNoTexts("Cancel the call")
}

func TestHangUp(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, nil)
	_, err := d.store.ReleaseCall(t.Context(), "acme", c.ID, c.ScheduledAt)
	d.mustSucceed(err)
	path := "/calls/" + c.ID
	d.getPage(account.Operator, path).wantStatus(200).wantTexts("Ringing", path+"/events", path+"/listen", "Hang up")
	d.getPage(account.Viewer, path).wantStatus(200).wantNoTexts("/listen", "/hangup")
	d.getPage(account.Operator, path+"/hangup").wantStatus(200).wantTexts("cut off at once")
	d.postForm(account.Operator, path+"/hangup", url.Values{}).wantRedirect("/console" + path)
	if found, _ := d.store.FindCall(t.Context(), "acme", c.ID); found.HangupAt == nil {
		t.Error("the call is not hung up")
	}
}

// TestWatchWhatIsOver checks that an event stream of an ended call ends at once, as after a restart of the appliance.
func TestWatchWhatIsOver(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, nil)
	_, err := d.store.CancelCall(t.Context(), "acme", c.ID, "test", d.now)
	d.mustSucceed(err)
	l := live.LiveSession{ID: live.NewID(d.now), OrgID: "acme", StartedAt: d.now}
	d.mustSucceed(d.store.BeginLive(t.Context(), l))
	d.mustSucceed(d.store.EndLive(t.Context(), "acme", l.ID, d.now, 1, nil))
	server := d.startServer(t)
	for _, path := range []string{"/console/calls/" + c.ID, "/console/live/" + l.ID} {
		told, err := io.ReadAll(server.openStream(t, account.Viewer, path+"/events"))
		if err != nil || string(told) != "event: end\ndata: {}\n\n" {
			t.Errorf("%s: %q, %v", path, told, err)
		}
	}
}

// TestWatchACall follows a call over a real connection, and listens in.
func TestWatchACall(t *testing.T) {
	t.Parallel()
	d := newCallBench(t)
	c := d.bookCall("acme", anyNumber, nil)
	_, err := d.store.ReleaseCall(t.Context(), "acme", c.ID, c.ScheduledAt)
	d.mustSucceed(err)
	server := d.startServer(t)
	at := ssehub.EventTopic{OrgID: "acme", Name: "call/" + c.ID}
	d.events.PublishEvent(at, "state", map[string]string{"status": "dialing"})
	d.events.PublishEvent(ssehub.EventTopic{OrgID: "other", Name: "call/" + c.ID}, "state", "secret")
	d.events.EndTopic(at)
	events := server.openStream(t, account.Viewer, "/console/calls/"+c.ID+"/events")
	var seen bytes.Buffer
	for !strings.Contains(seen.String(), "event: end") {
		piece := make([]byte, 100)
		n, err := events.Read(piece)
		if err != nil {
			t.Fatal(err)
		}
		seen.Write(piece[:n])
	}
	if got := seen.String(); !strings.Contains(got, "dialing") || strings.Contains(got, "secret") {
		t.Error(got)
	}
	sound := server.openStream(t, account.Operator, "/console/calls/"+c.ID+"/listen")
	d.deps.Calls.Sound.PlayChunk(at, []int16{1, -2})
	var samples [2]int16
	if err := binary.Read(sound, binary.LittleEndian, &samples); err != nil || samples != [2]int16{1, -2} {
		t.Errorf("heard %v, %v", samples, err)
	}
	d.deps.Calls.Sound.StopTopic(at)
	if rest, err := io.ReadAll(sound); err != nil || len(rest) > 0 {
		t.Errorf("it goes on: %v %v", rest, err)
	}
	trail, err := d.store.AuditTrail(t.Context(), "acme", 10, "")
	d.mustSucceed(err)
	if len(trail.Items) == 0 || trail.Items[0].Action != "call.listen" {
		t.Errorf("the audit trail does not name the listener: %+v", trail.Items)
	}
}
