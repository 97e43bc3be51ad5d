package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/scenario"
)

const minimal = `{"phone_number":"+966500000001","scenario_id":"reminder","variables":{"name":"سارة"}}`

// withFields returns the minimal body with further fields.
func withFields(more string) string { return strings.TrimSuffix(minimal, "}") + "," + more + "}" }

// timeIn returns the clock's time plus a duration, as JSON.
func (b *apiFixture) timeIn(d time.Duration) string {
	return b.now.Add(d).Format(`"2006-01-02T15:04:05.000Z07:00"`)
}

func TestBooking(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	made := b.askPath("POST", "/calls", withFields(`"metadata":{"crm":"42"}`)).want(201)
	id := made.text("data", "id")
	if !call.ValidID(id) || made.Header().Get("Location") != "/api/v1/calls/"+id {
		t.Errorf("id %q, Location %q", id, made.Header().Get("Location"))
	}
	for name, want := range map[string]any{
		"status": "scheduled", "phone_number": "+966500000001", "scenario_id": "reminder",
		"created_at": "2026-11-21T09:30:00.000Z", "scheduled_at": "2026-11-21T09:30:00.000Z", "booking_outcome": "immediate",
		"attempt_number": 1.0, "max_attempts": 4.0, "retry_chain_id": id, "next_retry_at": nil, "report": nil,
		"recording_url": nil, "failure": nil, "total_duration": nil,
	} {
		if got := made.at("data", name); got != want {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	if b.askPath("GET", "/calls/"+id, "").want(200).at("data", "metadata", "crm") != "42" {
		t.Error("the metadata is another")
	}
	plan := b.listCalls()[0].Attempt.Plan
	if plan.MaxAttempts != 4 || len(plan.DelayMinutes) != 1 || len(plan.On) != 1 {
		t.Errorf("the scenario's plan is %+v", plan)
	}
	if h := made.Header(); h.Get("Cache-Control") != "no-store" || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", h)
	}
}

// TestRetryOfTheRequest checks that the request's retry settings override the scenario's, except for the outcomes that
// are retried.
func TestRetryOfTheRequest(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for body, want := range map[string]call.RetryPlan{
		`"retry":{"max_attempts":2}`:                            {MaxAttempts: 2},
		`"retry":{"max_attempts":10,"delay_minutes":[0,43200]}`: {MaxAttempts: 10, DelayMinutes: []int{0, 43200}},
		`"retry":{"max_attempts":1.0,"delay_minutes":null}`:     {MaxAttempts: 1},
		`"retry":null`: {MaxAttempts: 4, DelayMinutes: []int{7}},
	} {
		id := b.askPath("POST", "/calls", withFields(body)).want(201).text("data", "id")
		made, err := b.store.FindCall(t.Context(), "acme", id)
		mustSucceed(t, err)
		got := made.Attempt
		if got.Max != want.MaxAttempts || len(got.Plan.DelayMinutes) != len(want.DelayMinutes) || len(got.Plan.On) != 1 {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

func TestBookingViolations(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	long := strings.Repeat("ن", 2001)
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf(`"n%d":"%s"`, i, strings.Repeat("ن", 1999)))
	}
	many := strings.Join(names, ",")
	for _, c := range []struct {
		body   string
		fields []string
	}{
		{`{}`, []string{"phone_number", "scenario_id"}},
		{`{"phone_number":null,"scenario_id":7}`, []string{"scenario_id", "phone_number"}},
		{withFields(`"phone_number2":1,"colour":"red"`), []string{"colour", "phone_number2"}},
		{withFields(`"Metadata":{}`), []string{"Metadata"}},
		{
			`{"phone_number":"0500000001","scenario_id":"nobody","scheduled_at":"tomorrow","retry":{"max_attempts":11,` +
				`"delay_minutes":[1,-1,"x",43201]},"variables":[],"metadata":{"a":1}}`,
			[]string{
				"metadata.a", "retry.delay_minutes.2", "scheduled_at", "variables", "phone_number", "retry.max_attempts",
				"retry.delay_minutes.1", "retry.delay_minutes.3", "scenario_id",
			},
		},
		{withFields(`"retry":{}`), []string{"retry.max_attempts"}},
		{withFields(`"retry":{"max_attempts":0}`), []string{"retry.max_attempts"}},
		{withFields(`"retry":{"max_attempts":1.5}`), []string{"retry.max_attempts"}},
		{withFields(`"retry":{"max_attempts":true}`), []string{"retry.max_attempts"}},
		{withFields(`"retry":{"max_attempts":1e99}`), []string{"retry.max_attempts"}},
		{withFields(`"retry":[]`), []string{"retry"}},
		{withFields(`"retry":{"max_attempts":2,"delay_minutes":[1,1,1,1,1,1,1,1,1,1,1]}`), []string{"retry.delay_minutes"}},
		{withFields(`"retry":{"max_attempts":2,"delay_minutes":[null]}`), []string{"retry.delay_minutes.0"}},
		{withFields(`"metadata":{"a":"` + long + `"}`), []string{"metadata.a"}},
		{withFields(`"metadata":{"":"x"}`), []string{"metadata"}},
		{withFields(`"metadata":{` + many + `}`), []string{"metadata"}},
		{withFields(`"metadata":"x"`), []string{"metadata"}},
		{withFields(`"scheduled_at":1700000000`), []string{"scheduled_at"}},
		{withFields(`"scheduled_at":"2026-11-21T12:00:00"`), []string{"scheduled_at"}},
		{withFields(`"scheduled_at":"2026-11-21"`), []string{"scheduled_at"}},
		{withFields(`"scheduled_at":""`), []string{"scheduled_at"}},
		{withFields(`"scheduled_at":"0001-01-01T00:00:00Z"`), []string{"scheduled_at"}},
		{withFields(`"scheduled_at":` + b.timeIn(-time.Minute)), []string{"scheduled_at"}},
		{withFields(`"scheduled_at":` + b.timeIn(30*24*time.Hour+time.Second)), []string{"scheduled_at"}},
		{`{"phone_number":"+966500000001","scenario_id":"reminder"}`, []string{"variables.name"}},
		{`{"phone_number":"+966500000001","scenario_id":"reminder","variables":{"name":null}}`, []string{"variables.name"}},
		{
			`{"phone_number":"+966500000001","scenario_id":"reminder","variables":{"name":{"first":"x"},"n":123456789012345678901}}`,
			[]string{"variables.n", "variables.name"},
		},
	} {
		b.askPath("POST", "/calls", c.body).failure(422, "validation_error", c.fields...)
	}
	for _, number := range []string{
		"", "966500000001", "+0500000001", "+96650", "+9665000000010000", "+966 50 000 0001", "+٩٦٦٥٠٠٠٠٠٠٠١", "+96650000000a",
		"tel:+966500000001", "+966500000001\n",
	} {
		body := `{"phone_number":` + quoteJSON(number) + `,"scenario_id":"reminder","variables":{"name":"x"}}`
		b.askPath("POST", "/calls", body).failure(422, "validation_error", "phone_number")
	}
	if booked := b.listCalls(); len(booked) > 0 {
		t.Errorf("booked %v", booked)
	}
}

func TestMalformedBodies(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for _, body := range []string{
		"", " ", "{", "nonsense", "[]", "null", `"x"`, "1", minimal + minimal, minimal + "x", "{'a':1}", `{"a":1,}`, "\xff{}",
		`{"a":1,"a":2}`, `{"phone_number":"+966500000001","metadata":{"x":"1","x":"2"}}`, strings.Repeat("[", 100_000),
		strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100), "%7B%7D",
	} {
		b.askPath("POST", "/calls", body).failure(400, "malformed_request")
	}
	b.askPath("POST", "/calls", minimal, withHeader{"Content-Type", "text/plain"}).want(201)
}

func TestDialTimes(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for at, want := range map[string]string{
		b.timeIn(time.Hour):                "2026-11-21T10:30:00.000Z booked",
		b.timeIn(-20 * time.Second):        "2026-11-21T09:29:40.000Z booked",
		b.timeIn(30 * 24 * time.Hour):      "2026-12-21T09:30:00.000Z booked",
		`"2026-11-21T14:30:00.1239+03:00"`: "2026-11-21T11:30:00.123Z booked",
		`"2026-11-21t10:30:00z"`:           "2026-11-21T10:30:00.000Z booked",
		`"2026-11-21T05:00:00.5-05:00"`:    "2026-11-21T10:00:00.500Z booked",
		`null`:                             "2026-11-21T09:30:00.000Z immediate",
	} {
		made := b.askPath("POST", "/calls", withFields(`"scheduled_at":`+at)).want(201)
		if got := made.text("data", "scheduled_at") + " " + made.text("data", "booking_outcome"); got != want {
			t.Errorf("%s: %s, not %s", at, got, want)
		}
	}
}

// TestClosedHours checks that a booking moves into the next open hours, and that a reschedule must be within open
// hours.
func TestClosedHours(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.setRules(callrules.CallRules{
		TimeZone: "Asia/Riyadh", CallingHours: callrules.CallingHours{"sunday": {{From: "09:00", To: "12:00"}}},
	})
	for at, want := range map[string]string{
		`null`:                        "2026-11-22T06:00:00.000Z moved_to_calling_hours",
		`"2026-11-21T23:00:00+03:00"`: "2026-11-22T06:00:00.000Z moved_to_calling_hours",
		`"2026-11-22T12:00:00+03:00"`: "2026-11-29T06:00:00.000Z moved_to_calling_hours",
		`"2026-11-22T11:59:00+03:00"`: "2026-11-22T08:59:00.000Z booked",
	} {
		made := b.askPath("POST", "/calls", withFields(`"scheduled_at":`+at)).want(201)
		if got := made.text("data", "scheduled_at") + " " + made.text("data", "booking_outcome"); got != want {
			t.Errorf("%s: %s, not %s", at, got, want)
		}
	}
	path := "/calls/" + b.listCalls()[0].ID + "/reschedule"
	closed := b.askPath("POST", path, `{"scheduled_at":"2026-11-22T13:00:00+03:00"}`)
	closed.failure(422, "validation_error", "scheduled_at")
	if !strings.Contains(closed.Body.String(), "begin at 2026-11-29T06:00:00Z") {
		t.Errorf("the next calling hours are not named: %s", closed.Body)
	}
	b.askPath("POST", path, `{"scheduled_at":"2026-11-22T11:00:00+03:00"}`).want(200)

	b.setRules(callrules.CallRules{CallingHours: callrules.CallingHours{"sunday": {{From: "09:00", To: "10:00"}}}})
	never := builtIn()
	never.ID, never.CallingHours = "never", callrules.CallingHours{"monday": {{From: "09:00", To: "10:00"}}}
	b.addScenario(never)
	b.askPath("POST", "/calls", strings.Replace(minimal, "reminder", "never", 1)).failure(422, "validation_error", "scheduled_at")
}

// TestOwnScenario: an organization's scenario takes precedence over the built-in one with its id.
func TestOwnScenario(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.addScenario(scenario.Scenario{ID: "reminder"})
	body := `{"phone_number":"+966500000001","scenario_id":"reminder"}`
	if made := b.askPath("POST", "/calls", body).want(201); made.at("data", "max_attempts") != 1.0 {
		t.Errorf("%s", made.Body)
	}
	b.askPath("POST", "/calls", body, withKey(rival)).failure(422, "validation_error", "variables.name")
}

func TestIdempotency(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	key := withHeader{"Idempotency-Key", "k 1~"}
	soon := withFields(`"scheduled_at":` + b.timeIn(0))
	first := b.askPath("POST", "/calls", soon, key).want(201)
	if first.Header().Get("Idempotency-Replayed") != "" {
		t.Error("the first answer says that it is a repeat")
	}
	b.now = b.now.Add(time.Hour) // its dial time has passed
	reordered := strings.Replace(soon, `"phone_number":"+966500000001",`, "", 1)
	reordered = strings.TrimSuffix(reordered, "}") + ` , "phone_number" : "+966500000001"}`
	for _, body := range []string{soon, reordered} {
		again := b.askPath("POST", "/calls", body, key).want(201)
		if rawData(again) != rawData(first) || again.Header().Get("Idempotency-Replayed") != "true" ||
			again.Header().Get("Location") != first.Header().Get("Location") {
			t.Errorf("%v\n%s\nis not\n%s", again.Header(), again.Body, first.Body)
		}
	}
	b.askPath("POST", "/calls", minimal, key).failure(409, "idempotency_conflict", "Idempotency-Key")
	b.askPath("POST", "/calls", minimal, key, withKey(rival)).want(201)
	b.askPath("POST", "/calls", `{}`, withHeader{"Idempotency-Key", "k2"}).want(422)
	b.askPath("POST", "/calls", minimal, withHeader{"Idempotency-Key", "k2"}).want(201)
	b.now = b.now.Add(24 * time.Hour)
	b.askPath("POST", "/calls", minimal, key).want(201)
	for _, bad := range []string{strings.Repeat("k", 256), "k\tk", "ك"} {
		b.askPath("POST", "/calls", minimal, withHeader{"Idempotency-Key", bad}).failure(422, "validation_error", "Idempotency-Key")
	}
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/calls", strings.NewReader(minimal))
	r.Header = http.Header{"Authorization": {"Bearer " + acme}, "Idempotency-Key": {""}}
	b.sendRequest(r).failure(422, "validation_error", "Idempotency-Key")
	if n := len(b.listCalls()); n != 3 {
		t.Errorf("%d calls are booked", n)
	}
}

// rawData returns the data of a response, unparsed.
func rawData(a apiResponse) string {
	from, to := strings.Index(a.Body.String(), `"data":`), strings.LastIndex(a.Body.String(), `,"meta":`)
	return a.Body.String()[from:to]
}

// TestConcurrentRepeats checks that of any number of concurrent requests with one idempotency key one books.
func TestConcurrentRepeats(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	var (
		all  sync.WaitGroup
		mu   sync.Mutex
		seen = map[string]bool{}
	)
	for range 20 {
		all.Go(func() {
			id := b.askPath("POST", "/calls", minimal, withHeader{"Idempotency-Key", "one"}).text("data", "id")
			mu.Lock()
			defer mu.Unlock()
			seen[id] = true
		})
	}
	all.Wait()
	if n := len(b.listCalls()); len(seen) != 1 || seen[""] || n != 1 {
		t.Errorf("%d calls, ids %v", n, seen)
	}
}

func TestReschedule(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	id := b.askPath("POST", "/calls", withFields(`"scheduled_at":`+b.timeIn(time.Hour))).want(201).text("data", "id")
	path := "/calls/" + id + "/reschedule"
	moved := b.askPath("POST", path, `{"scheduled_at":"2026-11-21T14:00:00+03:00"}`).want(200)
	if moved.text("data", "scheduled_at") != "2026-11-21T11:00:00.000Z" || moved.text("data", "status") != "scheduled" ||
		moved.text("data", "booking_outcome") != "rescheduled" || moved.text("data", "id") != id {
		t.Errorf("%s", moved.Body)
	}
	b.askPath("POST", path, `{"scheduled_at":`+b.timeIn(10*time.Minute)+`}`).want(200)
	b.askPath("POST", path, `{"scheduled_at":`+b.timeIn(30*24*time.Hour)+`}`).want(200)
	for _, body := range []string{
		`{"scheduled_at":` + b.timeIn(10*time.Minute-time.Second) + `}`, `{"scheduled_at":` + b.timeIn(-time.Hour) + `}`,
		`{"scheduled_at":` + b.timeIn(30*24*time.Hour+time.Second) + `}`, `{"scheduled_at":"2026-11-21T14:00:00"}`,
		`{"scheduled_at":null}`, `{"scheduled_at":17}`, `{}`, `{"scheduled_at":""}`,
		`{"scheduled_at":"2026-11-23T14:00:00+24:00"}`,
	} {
		b.askPath("POST", path, body).failure(422, "validation_error", "scheduled_at")
	}
	b.askPath("POST", path, `{"scheduled_at":`+b.timeIn(time.Hour)+`,"why":"x"}`).failure(422, "validation_error", "why")
	b.askPath("POST", path, ``).failure(400, "malformed_request")
	b.askPath("POST", path, `[]`).failure(400, "malformed_request")
	b.askPath("POST", "/calls/"+call.NewID()+"/reschedule", `{}`).failure(404, "not_found")
}

// TestReleasedCallIsNotMovedOrCancelled checks that a call that was released can be neither rescheduled nor cancelled,
// and that only running calls can be hung up.
func TestReleasedCallIsNotMovedOrCancelled(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	move := `{"scheduled_at":` + b.timeIn(time.Hour) + `}`
	for _, status := range call.AllStatuses() {
		path := "/calls/" + b.bringCallTo("acme", status, nil).ID
		if status == call.Scheduled {
			b.askPath("POST", path+"/hangup", "").failure(409, "call_not_active")
			b.askPath("POST", path+"/reschedule", move).want(200)
			if got := b.askPath("POST", path+"/cancel", "ignored").want(200); got.text("data", "status") != "cancelled" {
				t.Errorf("%s", got.Body)
			}
			continue
		}
		b.askPath("POST", path+"/reschedule", move).failure(409, "call_already_released")
		b.askPath("POST", path+"/cancel", "").failure(409, "call_already_released")
		hangup := b.askPath("POST", path+"/hangup", "")
		if status.IsRunning() {
			hangup.want(202)
		} else {
			hangup.failure(409, "call_not_active")
		}
	}
}

func TestMalformedIDs(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for _, id := range []string{
		"x", "call_", "call_x", "6d0a4b0e-0b0e-4f6e-9f0e-0b0e4f6e9f0e", "call_6d0a4b0e-0b0e-4f6e-9f0e",
		"CALL_6d0a4b0e-0b0e-4f6e-9f0e-0b0e4f6e9f0e", "call_6d0a4b0e0b0e4f6e9f0e0b0e4f6e9f0e", "%00", "..%2f..", call.NewID(), "%D9%86",
	} {
		b.askPath("GET", "/calls/"+id, "").failure(404, "not_found")
		b.askPath("POST", "/calls/"+id+"/cancel", "").failure(404, "not_found")
		b.askPath("POST", "/calls/"+id+"/hangup", "").failure(404, "not_found")
		b.askPath("POST", "/calls/"+id+"/reschedule", `{}`).failure(404, "not_found")
		b.askPath("GET", "/calls/"+id+"/recording", "").failure(404, "not_found")
	}
}

func TestListOfCalls(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	var ids []string
	for i := range 5 {
		b.now = began.Add(time.Duration(i) * time.Minute)
		body := strings.Replace(minimal, "0001", "000"+string(rune('0'+i)), 1)
		ids = append([]string{b.askPath("POST", "/calls", body).want(201).text("data", "id")}, ids...)
	}
	b.now = began.Add(-time.Hour)
	b.addRecordedCall("acme", nil)
	b.askPath("POST", "/calls", minimal, withKey(rival)).want(201)
	for query, want := range map[string]int{
		"": 6, "?limit=1": 1, "?limit=200": 6, "?status=scheduled": 5, "?status=completed": 1, "?status=failed": 0,
		"?scenario_id=reminder": 6, "?scenario_id=x": 0, "?phone_number=%2B966500000003": 1, "?phone_number=+966500000003": 1,
		"?created_from=2026-11-21T12:32:00%2B03:00": 3, "?created_from=2026-11-21T12:32:00+03:00": 3,
		"?created_from=2026-11-21T09:31:00Z&created_to=2026-11-21T09:33:00.000Z": 2, "?status=": 6, "?cursor=": 6,
		"?status=completed,scheduled": 6, "?status=failed,completed": 1, "?campaign_id=camp_x": 0, "?ended_by=operator": 0,
		"?number_contains=0000003": 1, "?number_contains=%2B96650": 6, "?number_contains=+9665000": 6, "?number_contains=77777": 0,
		"?due_from=2026-11-01T09:00:00Z&due_to=2027-11-21T09:00:00Z": 6, "?due_to=2026-01-01T00:00:00Z": 0,
		"?sort=due_at&order=asc": 6, "?sort=created_at&order=desc": 6,
	} {
		got := b.askPath("GET", "/calls"+query, "").want(200)
		if n := len(got.at("data").([]any)); n != want {
			t.Errorf("%s: %d calls, not %d", query, n, want)
		}
	}
	var seen []string
	for path := "/calls?limit=2&status=scheduled"; ; {
		page := b.askPath("GET", path, "").want(200)
		for _, one := range page.at("data").([]any) {
			seen = append(seen, one.(map[string]any)["id"].(string))
		}
		next, more := page.at("meta", "next_cursor").(string)
		if !more {
			break
		}
		path = "/calls?limit=2&status=scheduled&cursor=" + next
	}
	if strings.Join(seen, " ") != strings.Join(ids, " ") {
		t.Errorf("listed %v, not %v", seen, ids)
	}
	if first := b.askPath("GET", "/calls?status=completed", "").want(200); first.at("data", 0, "enhanced_transcript") == nil ||
		len(first.at("data", 0, "enhanced_transcript", "transcript", "messages").([]any)) > 0 {
		t.Errorf("a list with messages, or without a transcript: %s", first.Body)
	}
	for query, fields := range map[string][]string{
		"?limit=0": {"limit"}, "?limit=201": {"limit"}, "?limit=x": {"limit"}, "?limit=": {"limit"}, "?limit=1.5": {"limit"},
		"?status=busy": {"status"}, "?phone_number=5": {"phone_number"}, "?created_from=today": {"created_from"},
		"?created_to=2026-11-21": {"created_to"}, "?cursor=nonsense": {"cursor"}, "?state=x": {"state"},
		"?cursor=nonsense&limit=0&status=x&phone_number=1": {"status", "phone_number", "limit", "cursor"},
		"?limit=1&limit=2": {"limit"}, "?a=%zz": {"query"}, "?limit=0&status=x&before=y": {"before", "status", "limit"},
		"?created_from=2026-11-21T10:00:00Z&created_to=2026-11-21T09:00:00Z": {"created_to"},
		"?due_from=2026-11-21T10:00:00Z&due_to=2026-11-21T09:00:00Z":         {"due_to"},
		"?status=failed,busy": {"status"}, "?status=failed,": {"status"}, "?sort=name": {"sort"}, "?order=up": {"order"},
		"?ended_by=me": {"ended_by"}, "?number_contains=x1": {"number_contains"}, "?number_contains=12345678901234567": {"number_contains"},
	} {
		b.askPath("GET", "/calls"+query, "").failure(422, "validation_error", fields...)
	}
}
