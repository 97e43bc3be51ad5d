package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"munadi/store/call"
	"munadi/store/delivery"
)

const flow = `{"id":"hello","name":"Hello","language":"ar","steps":[{"id":"a","type":"say","say":"مرحباً"},{"id":"z","type":"end"}]}`

func TestScenarios(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	made := b.askPath("POST", "/scenarios", flow).want(201)
	if made.Header().Get("Location") != "/api/v1/scenarios/hello" || made.at("data", "built_in") != false ||
		made.text("data", "created_at") != "2026-11-21T09:30:00.000Z" || made.text("data", "steps", 0, "say") != "مرحباً" {
		t.Errorf("%v %s", made.Header(), made.Body)
	}
	b.askPath("POST", "/scenarios", flow).failure(409, "conflict", "id")
	b.askPath("POST", "/scenarios", strings.Replace(flow, "hello", "reminder", 1)).failure(409, "conflict", "id")
	unnamed := b.askPath("POST", "/scenarios", strings.Replace(flow, `"id":"hello",`, "", 1)).want(201)
	if !strings.HasPrefix(unnamed.text("data", "id"), "scenario_") {
		t.Errorf("%s", unnamed.Body)
	}
	list := b.askPath("GET", "/scenarios", "").want(200)
	if list.at("data", 0, "id") != "hello" || list.at("data", 1, "built_in") != true || list.at("meta", "next_cursor") != nil {
		t.Errorf("%s", list.Body)
	}
	b.askPath("GET", "/scenarios?limit=0&cursor=x", "").failure(422, "validation_error", "limit", "cursor")
	first := b.askPath("GET", "/scenarios?limit=1", "").want(200)
	rest := b.askPath("GET", "/scenarios?cursor="+first.text("meta", "next_cursor"), "").want(200)
	if len(first.at("data").([]any)) != 1 || rest.at("data", 0, "id") != list.at("data", 1, "id") ||
		len(rest.at("data").([]any)) != len(list.at("data").([]any))-1 || rest.at("meta", "next_cursor") != nil {
		t.Errorf("pages %s, %s", first.Body, rest.Body)
	}
	b.askPath("GET", "/scenarios?cursor="+first.text("meta", "next_cursor"), "", withKey(rival)).
		failure(422, "validation_error", "cursor")
	for _, id := range []string{"nobody", "UPPER", "a.b", strings.Repeat("x", 65), "%00"} {
		b.askPath("GET", "/scenarios/"+id, "").failure(404, "not_found")
		b.askPath("PUT", "/scenarios/"+id, flow).failure(404, "not_found")
		b.askPath("DELETE", "/scenarios/"+id, "").failure(404, "not_found")
	}
	b.now = b.now.Add(time.Hour)
	got := b.askPath("GET", "/scenarios/hello", "").want(200)
	var scenario map[string]any
	mustSucceed(t, json.Unmarshal(got.Body.Bytes(), &scenario))
	back, err := json.Marshal(scenario["data"]) // what was fetched can be put back
	mustSucceed(t, err)
	put := b.askPath("PUT", "/scenarios/hello", string(back)).want(200)
	if put.text("data", "created_at") != "2026-11-21T09:30:00.000Z" || put.text("data", "updated_at") != "2026-11-21T10:30:00.000Z" {
		t.Errorf("%s", put.Body)
	}
	b.askPath("PUT", "/scenarios/hello", strings.Replace(flow, `"hello"`, `"other"`, 1)).failure(422, "validation_error", "id")
	b.askPath("DELETE", "/scenarios/hello", "").want(200)
	b.askPath("GET", "/scenarios/hello", "").failure(404, "not_found")
}

// TestBuiltInScenario checks that PUT of a built-in scenario makes a copy, and that DELETE of the copy restores the
// built-in one.
func TestBuiltInScenario(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("DELETE", "/scenarios/reminder", "").failure(409, "conflict")
	own := strings.Replace(flow, `"id":"hello",`, "", 1)
	if put := b.askPath("PUT", "/scenarios/reminder", own).want(200); put.at("data", "built_in") != false {
		t.Errorf("%s", put.Body)
	}
	if got := b.askPath("GET", "/scenarios/reminder", "").want(200); got.text("data", "name") != "Hello" {
		t.Errorf("%s", got.Body)
	}
	if got := b.askPath("GET", "/scenarios/reminder", "", withKey(rival)).want(200); got.text("data", "name") != "Reminder" {
		t.Errorf("another organization's: %s", got.Body)
	}
	b.askPath("DELETE", "/scenarios/reminder", "").want(200)
	if got := b.askPath("GET", "/scenarios/reminder", "").want(200); got.at("data", "built_in") != true {
		t.Errorf("%s", got.Body)
	}
}

func TestScenarioViolations(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("POST", "/scenarios", `{"id":"A b","name":"","steps":[]}`).failure(422, "validation_error", "id", "name", "steps")
	b.askPath("POST", "/scenarios", `{"id":"x","name":1,"steps":[{"id":"a","type":"say","colour":1}]}`).
		failure(422, "validation_error", "name", "steps.0.colour", "steps.0.say")
	b.askPath("POST", "/scenarios", strings.Replace(flow, `"say":"مرحباً"`, `"say":"{{who}}","next":"nowhere"`, 1)).
		failure(422, "validation_error", "steps.0.next", "steps.0.say")
	b.askPath("POST", "/scenarios", "[]").failure(400, "malformed_request")
	b.askPath("POST", "/scenarios", `{"id":"x","id":"y"}`).failure(400, "malformed_request")
}

func TestOrganization(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	fresh := b.askPath("GET", "/organization", "").want(200)
	for name, want := range map[string]any{
		"id": "acme", "name": "The acme", "time_zone": "UTC", "recording": "on", "kill_switch": false, "attempts_per_day": 0.0,
		"calling_hours": nil, "updated_at": nil,
	} {
		if got := fresh.at("data", name); got != want {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	rules := `{"time_zone":"Asia/Riyadh","calling_hours":{"sunday":[{"from":"09:00","to":"18:00"}]},"holidays":["2026-09-23"],
		"attempts_per_day":2,"allowed_prefixes":["+966"],"recording":"announce","retention_days":{"audio":30}}`
	set := b.askPath("PUT", "/organization", rules).want(200)
	if set.text("data", "time_zone") != "Asia/Riyadh" || set.text("data", "updated_at") != "2026-11-21T09:30:00.000Z" {
		t.Errorf("%s", set.Body)
	}
	var whole struct{ Data map[string]any }
	mustSucceed(t, json.Unmarshal(b.askPath("GET", "/organization", "").want(200).Body.Bytes(), &whole))
	delete(whole.Data, "kill_switch")
	back, err := json.Marshal(whole.Data)
	mustSucceed(t, err)
	if again := b.askPath("PUT", "/organization", string(back)).want(200); rawData(again) != rawData(set) {
		t.Errorf("what was fetched, put back:\n%s\n%s", again.Body, set.Body)
	}
	if other := b.askPath("GET", "/organization", "", withKey(rival)).want(200); other.at("data", "kill_switch") != false {
		t.Errorf("another's: %s", other.Body)
	}
	b.askPath("PUT", "/organization", `{"time_zone":"Mars/Phobos","calling_hours":{"funday":[],"sunday":[{"from":"9","to":"08:00"}]},
		"holidays":["yesterday"],"attempts_per_day":-1,"allowed_prefixes":["966"],"recording":"maybe","kill_switch":"yes","color":1}`).
		failure(422, "validation_error", "color", "kill_switch", "time_zone", "calling_hours.funday", "calling_hours.sunday.0.from",
			"holidays.0", "attempts_per_day", "allowed_prefixes.0", "recording")
	stopped := b.askPath("PATCH", "/organization", `{"kill_switch":true,"attempts_per_day":7}`).want(200)
	if stopped.at("data", "kill_switch") != true || stopped.text("data", "time_zone") != "Asia/Riyadh" || stopped.at("data", "attempts_per_day") != 7.0 {
		t.Errorf("changed: %s", stopped.Body)
	}
	b.askPath("PATCH", "/organization", `{"kill_switch":"no","holidays":["x"],"color":1}`).
		failure(422, "validation_error", "color", "kill_switch", "holidays.0")
	if kept := b.askPath("PATCH", "/organization", `{"retention_days":{"transcript":7}}`).want(200); kept.at("data", "retention_days", "audio") != 30.0 || kept.at("data", "retention_days", "transcript") != 7.0 {
		t.Errorf("one period of two: %s", kept.Body)
	}
	b.askPath("PATCH", "/organization", `{"retention_days":{"audio":-1,"sound":1}}`).
		failure(422, "validation_error", "retention_days.sound", "retention_days.audio")
	if none := b.askPath("PATCH", "/organization", `{"retention_days":null}`).want(200); none.at("data", "retention_days", "audio") != 0.0 {
		t.Errorf("no periods: %s", none.Body)
	}
	if one := b.askPath("PATCH", "/organization", `{"calling_hours":null,"kill_switch":null}`).want(200); one.at("data", "calling_hours") != nil || one.at("data", "kill_switch") != true {
		t.Errorf("reset: %s", one.Body)
	}
	for _, stop := range []string{"true", "false", "null"} {
		if refused := b.askPath("PUT", "/organization", `{"time_zone":"Asia/Dubai","kill_switch":`+stop+`}`).
			failure(422, "validation_error", "kill_switch"); !strings.Contains(refused.Body.String(), "PATCH") {
			t.Errorf("kill_switch in PUT: %s", refused.Body)
		}
	}
	put := b.askPath("PUT", "/organization", `{}`).want(200)
	if put.at("data", "kill_switch") != true || put.text("data", "time_zone") != "UTC" {
		t.Errorf("what is left out stays, or calling goes on: %s", put.Body)
	}
}

func TestSuppressions(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	one := b.askPath("POST", "/suppressions", `{"phone_number":"+966500000002","reason":"asked"}`).want(201)
	if one.text("data", "source") != "api" || one.at("data", "until") != nil {
		t.Errorf("%s", one.Body)
	}
	many := b.askPath("POST", "/suppressions", `[{"phone_number":"+966500000001"},{"phone_number":"+966500000003","until":`+b.timeIn(time.Hour)+`}]`).want(201)
	if many.text("data", 1, "until") != "2026-11-21T10:30:00.000Z" {
		t.Errorf("%s", many.Body)
	}
	b.askPath("POST", "/suppressions", `[]`).want(201)
	var numbers []string
	for path := "/suppressions?limit=2"; ; {
		page := b.askPath("GET", path, "").want(200)
		for _, entry := range page.at("data").([]any) {
			numbers = append(numbers, entry.(map[string]any)["phone_number"].(string))
		}
		next, more := page.at("meta", "next_cursor").(string)
		if !more {
			break
		}
		path = "/suppressions?limit=2&cursor=" + next
	}
	if strings.Join(numbers, " ") != "+966500000001 +966500000002 +966500000003" {
		t.Errorf("listed %v", numbers)
	}
	b.askPath("POST", "/suppressions", `{"phone_number":"5","until":`+b.timeIn(0)+`,"x":1}`).failure(422, "validation_error", "x", "phone_number", "until")
	b.askPath("POST", "/suppressions", `[{"phone_number":"+966500000009"},7,{"phone_number":null}]`).
		failure(422, "validation_error", "1", "2.phone_number")
	b.askPath("POST", "/suppressions", `"x"`).failure(400, "malformed_request")
	b.askPath("POST", "/suppressions", `[`+strings.Repeat(`{},`, 1000)+`{}]`).failure(422, "validation_error", "")
	b.askPath("DELETE", "/suppressions/+966500000001", "").want(200)
	b.askPath("DELETE", "/suppressions/%2B966500000002", "").want(200)
	if got := b.askPath("DELETE", "/suppressions/966500000003", "").want(200); got.text("data", "phone_number") != "+966500000003" {
		t.Errorf("%s", got.Body)
	}
	b.askPath("DELETE", "/suppressions/+966500000001", "").failure(404, "not_found")
	b.askPath("DELETE", "/suppressions/nobody", "").failure(404, "not_found")
}

func TestSuppressionsAsCSV(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	kind := withHeader{"Content-Type", "text/csv; charset=utf-8"}
	file := "\xef\xbb\xbfreason,phone_number,until,note\r\n\"=1+1, \"\"x\"\"\",+966500000001,2026-12-01T00:00:00+03:00,ignored\r\n,+966500000002\r\n"
	if got := b.askPath("POST", "/suppressions", file, kind).want(201); got.at("data", "imported") != 2.0 {
		t.Errorf("%s", got.Body)
	}
	if got := b.askPath("POST", "/suppressions", "+966500000003\n+966500000004,asked\n", kind).want(201); got.at("data", "imported") != 2.0 {
		t.Errorf("%s", got.Body)
	}
	out := b.askPath("GET", "/suppressions?limit=1", "", withHeader{"Accept", "text/csv"}).want(200)
	want := "phone_number,reason,until,source,created_at\n" +
		"+966500000001,\"'=1+1, \"\"x\"\"\",2026-11-30T21:00:00.000Z,csv,2026-11-21T09:30:00.000Z\n" +
		"+966500000002,,,csv,2026-11-21T09:30:00.000Z\n+966500000003,,,csv,2026-11-21T09:30:00.000Z\n" +
		"+966500000004,asked,,csv,2026-11-21T09:30:00.000Z\n"
	if out.Body.String() != want {
		t.Errorf("got\n%s\nnot\n%s", out.Body, want)
	}
	before := rawData(b.askPath("GET", "/suppressions", "").want(200))
	b.askPath("POST", "/suppressions", out.Body.String(), kind).want(201) // its own file comes back as it was
	if after := rawData(b.askPath("GET", "/suppressions", "").want(200)); after != before {
		t.Errorf("%s\nis not\n%s", after, before)
	}
	b.askPath("POST", "/suppressions", "phone_number\n+966500000009\nx,y,z\n\n5\n", kind).
		failure(422, "validation_error", "lines.3.phone_number", "lines.5.phone_number")
	b.askPath("POST", "/suppressions", "\"+966", kind).failure(400, "malformed_request")
	b.askPath("POST", "/suppressions", "\xff", kind).failure(400, "malformed_request")
	if got := b.askPath("POST", "/suppressions", "", kind).want(201); got.at("data", "imported") != 0.0 {
		t.Errorf("%s", got.Body)
	}
	if got := rawData(b.askPath("GET", "/suppressions", "").want(200)); got != before {
		t.Errorf("a file that was refused left %s", got)
	}
}

func TestErasure(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	c := b.addRecordedCall("acme", sound)
	booking, key := strings.Replace(minimal, "0001", "0042", 1), withHeader{"Idempotency-Key", "once"}
	booked := b.askPath("POST", "/calls", booking, key).want(201)
	kept := b.addRecordedCall("rival", sound)
	got := b.askPath("DELETE", "/people/966500000042", "").want(200)
	if got.at("data", "calls_erased") != 1.0 || got.at("data", "calls_cancelled") != 1.0 || got.at("data", "recordings_removed") != 1.0 ||
		got.text("data", "phone_number") != "+966500000042" {
		t.Errorf("%s", got.Body)
	}
	b.askPath("GET", "/calls/"+c.ID+"/recording", "").failure(404, "recording_not_available")
	if _, err := b.files.OpenRecording(t.Context(), c.Recording); err == nil {
		t.Error("the file is still there")
	}
	b.askPath("GET", "/calls/"+kept.ID+"/recording", "", withKey(rival)).want(302)
	again := b.askPath("POST", "/calls", booking, key).want(201)
	if again.text("data", "id") != booked.text("data", "id") || again.text("data", "status") != "cancelled" ||
		again.text("data", "phone_number") != "" || again.Header().Get("Location") != booked.Header().Get("Location") {
		t.Errorf("a late repeat of the booking: %s", again.Body)
	}
	if got := b.askPath("DELETE", "/people/+966511111111", "").want(200); got.at("data", "calls_erased") != 0.0 {
		t.Errorf("%s", got.Body)
	}
	b.askPath("DELETE", "/people/nobody", "").failure(404, "not_found")
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	if got := b.askPath("GET", "/webhook", "").want(200); got.at("data", "url") != "" || got.at("data", "enabled") != false ||
		got.at("data", "signing") != false {
		t.Errorf("%s", got.Body)
	}
	b.askPath("POST", "/webhook/test", "").failure(422, "validation_error", "url")
	set := `{"url":"https://hooks.example/a","enabled":true}`
	first := b.askPath("PUT", "/webhook", set).want(200)
	if !strings.HasPrefix(first.text("data", "secret"), "whsec_") || first.at("data", "enabled") != true || first.at("data", "signing") != true {
		t.Errorf("a new webhook is not signed: %s", first.Body)
	}
	off := `{"url":"https://hooks.example/a","enabled":true,"signing":false}`
	if got := b.askPath("PUT", "/webhook", off).want(200); got.at("data", "secret") != nil || got.at("data", "signing") != false {
		t.Errorf("%s", got.Body)
	}
	if got := b.askPath("PUT", "/webhook", set).want(200); got.at("data", "secret") != nil || got.at("data", "signing") != false {
		t.Errorf("turned off, it does not stay so: %s", got.Body)
	}
	signed := b.askPath("PUT", "/webhook", `{"url":"https://hooks.example/a","enabled":true,"signing":true}`).want(200)
	if signed.at("data", "secret") != nil || signed.at("data", "signing") != true {
		t.Errorf("turned on again, it has the first secret: %s", signed.Body)
	}
	if got := b.askPath("PUT", "/webhook", set).want(200); got.at("data", "secret") != nil || got.at("data", "signing") != true {
		t.Errorf("%s", got.Body)
	}
	rotated := b.askPath("PUT", "/webhook", `{"url":"https://hooks.example/a","enabled":true,"rotate_secret":true}`).want(200)
	if fresh := rotated.text("data", "secret"); fresh == first.text("data", "secret") || len(rotated.at("data", "secrets").([]any)) != 2 {
		t.Errorf("%s", rotated.Body)
	}
	got := b.askPath("GET", "/webhook", "").want(200)
	if strings.Contains(got.Body.String(), "whsec_") || got.text("data", "secrets", 1, "expires_at") != "2026-11-22T09:30:00.000Z" {
		t.Errorf("%s", got.Body)
	}
	var whole struct{ Data json.RawMessage }
	mustSucceed(t, json.Unmarshal(got.Body.Bytes(), &whole))
	b.askPath("PUT", "/webhook", string(whole.Data)).want(200)
	for body, fields := range map[string][]string{
		`{"enabled":true}`: {"url"}, `{"url":"","enabled":true}`: {"url"}, `{"url":7,"enabled":"x"}`: {"enabled", "url"},
		`{"url":"ftp://x","enabled":true}`: {"url"}, `{"url":"hooks.example","enabled":false}`: {"url"},
		`{"url":"http://169.254.169.254/latest","enabled":false}`: {"url"}, `{"url":"https://a:b@x/","enabled":true}`: {"url"},
		`{"url":"https://x/","enabled":true,"signed":true}`: {"signed"},
	} {
		b.askPath("PUT", "/webhook", body).failure(422, "validation_error", fields...)
	}
	if on := b.askPath("PUT", "/webhook", `{"url":"http://localhost:1/"}`).want(200); on.at("data", "enabled") != true {
		t.Errorf("%s", on.Body)
	}
	if off := b.askPath("PUT", "/webhook", `{}`).want(200); off.at("data", "enabled") != false {
		t.Errorf("%s", off.Body)
	}
	if off := b.askPath("PUT", "/webhook", `{"url":null,"enabled":false}`).want(200); off.at("data", "url") != "" {
		t.Errorf("%s", off.Body)
	}
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("PUT", "/webhook", `{"url":"https://hooks.example/a","enabled":false}`).want(200)
	owed := b.askPath("POST", "/webhook/test", "").want(202)
	id := owed.text("data", "id")
	if owed.text("data", "kind") != "test" || owed.text("data", "state") != "pending" || !call.ValidID(owed.text("data", "call_id")) {
		t.Errorf("%s", owed.Body)
	}
	again := "/webhook/deliveries/" + id + "/redeliver"
	b.askPath("POST", again, "").failure(409, "conflict")
	for range delivery.MaxTries {
		try := delivery.DeliveryTry{At: b.now, URL: "https://hooks.example/a", Error: "time-out", Duration: 10 * time.Second}
		_, err := b.store.RecordTry(t.Context(), "acme", id, try, b.now)
		mustSucceed(t, err)
	}
	b.askPath("POST", again, "", withKey(rival)).failure(404, "not_found")
	b.askPath("POST", "/webhook/deliveries/x/redeliver", "").failure(404, "not_found")
	b.askPath("PUT", "/webhook", `{"url":"","enabled":false}`).want(200)
	b.askPath("POST", again, "").failure(422, "validation_error", "url")
	b.askPath("PUT", "/webhook", `{"url":"https://hooks.example/a","enabled":false}`).want(200)
	if got := b.askPath("POST", again, "").want(202); got.text("data", "state") != "pending" ||
		got.at("data", "attempts", 0, "duration_ms") != 10000.0 || got.at("data", "attempts", 0, "status_code") != nil {
		t.Errorf("%s", got.Body)
	}
	for query, want := range map[string]int{"": 1, "?state=pending": 1, "?state=failed": 0, "?limit=1": 1} {
		if n := len(b.askPath("GET", "/webhook/deliveries"+query, "").want(200).at("data").([]any)); n != want {
			t.Errorf("%s: %d", query, n)
		}
	}
	b.askPath("GET", "/webhook/deliveries?state=none&limit=x", "").failure(422, "validation_error", "state", "limit")
	b.askPath("GET", "/webhook/deliveries?cursor=x", "").failure(422, "validation_error", "cursor")
}

// TestLongLog checks that a page of a long log is limited in size, and that its cursor leads through the whole log.
func TestLongLog(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("PUT", "/webhook", `{"url":"https://hooks.example/a","enabled":false}`).want(200)
	const owed = 25
	body := strings.Repeat("x", delivery.MaxKept)
	for range owed {
		id := b.askPath("POST", "/webhook/test", "").want(202).text("data", "id")
		for range delivery.MaxTries {
			try := delivery.DeliveryTry{At: b.now, Error: "answered 500", StatusCode: 500, Request: body, Response: body}
			_, err := b.store.RecordTry(t.Context(), "acme", id, try, b.now)
			mustSucceed(t, err)
		}
	}
	seen, parts, cursor := map[any]bool{}, 0, ""
	for {
		got := b.askPath("GET", "/webhook/deliveries?limit=200&cursor="+cursor, "").want(200)
		if parts++; got.Body.Len() > 4<<20 {
			t.Errorf("%d bytes at once", got.Body.Len())
		}
		for _, d := range got.at("data").([]any) {
			seen[d.(map[string]any)["id"]] = true
		}
		if got.at("meta", "next_cursor") == nil {
			break
		}
		cursor = got.text("meta", "next_cursor")
	}
	if len(seen) != owed || parts < 2 {
		t.Errorf("%d of %d in %d parts", len(seen), owed, parts)
	}
}

// TestWebhookOfACall checks that a call's body has the delivery state of its notification.
func TestWebhookOfACall(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("PUT", "/webhook", `{"url":"https://hooks.example/a","enabled":true}`).want(200)
	c := b.addRecordedCall("acme", nil)
	owed, err := b.store.DeliveryOf(t.Context(), "acme", c.ID)
	mustSucceed(t, err)
	_, err = b.store.RecordTry(t.Context(), "acme", owed.ID, delivery.DeliveryTry{At: b.now, StatusCode: 204}, b.now)
	mustSucceed(t, err)
	for _, got := range []any{
		b.askPath("GET", "/calls/"+c.ID, "").at("data", "webhook"), b.askPath("GET", "/calls", "").at("data", 0, "webhook"),
	} {
		w, _ := got.(map[string]any)
		if w["state"] != "delivered" || len(w["attempts"].([]any)) != 1 {
			t.Errorf("%v", got)
		}
	}
}
