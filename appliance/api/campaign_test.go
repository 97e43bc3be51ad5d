package api_test

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"munadi/store/call"
)

// TestCampaigns checks that all calls of a campaign are booked or none, that it can be changed and counted, and that
// other organizations do not see it.
func TestCampaigns(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	row := func(n int) string {
		return fmt.Sprintf(`{"phone_number":"+96650000%04d","variables":{"name":"سارة"}}`, n)
	}
	body := func(more string, rows ...string) string {
		return `{"name":"Visits","scenario_id":"reminder","calls":[` + strings.Join(rows, ",") + `]` + more + `}`
	}
	b.askPath("POST", "/campaigns", body("", row(1), `{"phone_number":"5","variables":{"name":"x"}}`, row(1), `{"phone_number":7}`)).
		failure(422, "validation_error", "calls.1.phone_number", "calls.2.phone_number", "calls.3.phone_number")
	b.askPath("POST", "/campaigns", body("", row(1), `7`, `"x"`, `null`)).
		failure(422, "validation_error", "calls.1", "calls.2", "calls.3")
	b.askPath("POST", "/campaigns", `{"calls":[]}`).failure(422, "validation_error", "name", "calls", "scenario_id")
	b.askPath("POST", "/campaigns", body(`,"lines":0,"calls_per_minute":0,"ends_at":"2020-01-01T00:00:00Z"`, row(1))).
		failure(422, "validation_error", "ends_at", "calls_per_minute", "lines")
	b.askPath("POST", "/campaigns", body(`,"caller_number":"0112345678"`, row(1))).
		failure(422, "validation_error", "caller_number")
	if n := len(b.askPath("GET", "/calls", "").want(200).at("data").([]any)); n != 0 {
		t.Fatalf("%d calls were booked", n)
	}
	made := b.askPath("POST", "/campaigns", body(`,"skip_invalid":true,"lines":2,"caller_number":"+966112345678"`, row(1), `{"phone_number":"5","variables":{"name":"x"}}`, row(2), row(2))).want(201)
	id := made.at("data", "id").(string)
	if made.at("data", "status") != "running" || made.at("data", "counts", "scheduled") != 2.0 ||
		made.at("data", "caller_number") != "+966112345678" ||
		made.at("data", "skipped", 0, "field") != "calls.1.phone_number" || made.at("data", "skipped", 1, "reason") != "duplicate" {
		t.Errorf("made %s", made.Body)
	}
	if n := len(b.askPath("GET", "/calls?campaign_id="+id, "").want(200).at("data").([]any)); n != 2 {
		t.Errorf("%d calls of the campaign", n)
	}
	for _, path := range []string{"", "/results.csv"} {
		b.askPath("GET", "/campaigns/"+id+path, "", withKey(rival)).failure(404, "not_found")
	}
	for _, act := range []string{"pause", "resume", "retry", "cancel"} {
		b.askPath("POST", "/campaigns/"+id+"/"+act, "", withKey(rival)).failure(404, "not_found")
	}
	for _, step := range [][2]string{{"pause", "paused"}, {"resume", "running"}, {"retry", "running"}, {"cancel", "cancelled"}} {
		if got := b.askPath("POST", "/campaigns/"+id+"/"+step[0], "").want(200); got.at("data", "status") != step[1] {
			t.Errorf("after %s: %s", step[0], got.Body)
		}
	}
	b.askPath("POST", "/campaigns/"+id+"/resume", "").failure(409, "conflict")
	b.askPath("POST", "/campaigns/"+id+"/retry", "").failure(409, "conflict")
	if got := b.askPath("GET", "/campaigns", "").want(200); got.at("data", 0, "counts", "cancelled") != 2.0 {
		t.Errorf("listed %s", got.Body)
	}
	if results := b.askPath("GET", "/campaigns/"+id+"/results.csv", "").want(200).Body.String(); strings.Count(results, "\n") != 3 ||
		!strings.Contains(results, "+966500000001,cancelled") {
		t.Errorf("results:\n%s", results)
	}
}

// TestCampaignMetadata checks that metadata of the calls is in the results, in a limited number of columns.
func TestCampaignMetadata(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	var rows []string
	for i := range 3 {
		var pairs []string
		for k := range 100 {
			pairs = append(pairs, fmt.Sprintf(`"file %d/%02d":"=%d"`, i, k, k))
		}
		rows = append(rows, fmt.Sprintf(`{"phone_number":"+96650000000%d","variables":{"name":"x"},"metadata":{%s}}`,
			i, strings.Join(pairs, ",")))
	}
	made := b.askPath("POST", "/campaigns", `{"name":"M","scenario_id":"reminder","calls":[`+strings.Join(rows, ",")+`]}`).want(201)
	results := b.askPath("GET", "/campaigns/"+made.at("data", "id").(string)+"/results.csv", "").want(200).Body.String()
	lines, err := csv.NewReader(strings.NewReader(results)).ReadAll()
	if err != nil || len(lines) != 4 || strings.Count(results, "metadata.") != 200 {
		t.Fatalf("%d lines, %d columns of metadata, %v", len(lines), strings.Count(results, "metadata."), err)
	}
	first, second := slices.Index(lines[0], "metadata.file 0/00"), slices.Index(lines[0], "metadata.file 1/99")
	if first < 0 || second < 0 || lines[1][first] != "'=0" || lines[2][first] != "" || lines[2][second] != "'=99" {
		t.Errorf("columns %d and %d of\n%s", first, second, results)
	}
}

// TestCampaignNameIsVisible checks that a name of white space is refused.
func TestCampaignNameIsVisible(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for _, name := range []string{"", " ", `\t\n `, "\u00a0\u3000"} {
		body := `{"name":"` + name + `","scenario_id":"reminder","calls":[{"phone_number":"+966500000001","variables":{"name":"x"}}]}`
		b.askPath("POST", "/campaigns", body).failure(422, "validation_error", "name")
	}
}

// TestCampaignIdempotency checks that a repeat with the same idempotency key books nothing and returns the campaign's
// current state, and that another body or route with that key is a conflict.
func TestCampaignIdempotency(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	key := withHeader{"Idempotency-Key", "k 1~"}
	body := `{"name":"Visits","scenario_id":"reminder","calls":[{"phone_number":"+966500000001","variables":{"name":"x"}}]}`
	b.askPath("POST", "/campaigns", `{"calls":[]}`, key).want(422)
	first := b.askPath("POST", "/campaigns", body, key).want(201)
	path := "/campaigns/" + first.at("data", "id").(string)
	if first.Header().Get("Idempotency-Replayed") != "" || first.Header().Get("Location") != "/api/v1"+path {
		t.Errorf("first: %v", first.Header())
	}
	b.askPath("POST", path+"/pause", "").want(200)
	again := b.askPath("POST", "/campaigns", body, key).want(201)
	if again.at("data", "id") != first.at("data", "id") || again.at("data", "status") != "paused" ||
		again.Header().Get("Idempotency-Replayed") != "true" || again.Header().Get("Location") != "/api/v1"+path {
		t.Errorf("again: %v %s", again.Header(), again.Body)
	}
	b.askPath("POST", "/campaigns", strings.Replace(body, "Visits", "Others", 1), key).failure(409, "idempotency_conflict", "Idempotency-Key")
	b.askPath("POST", "/calls", body, key).failure(409, "idempotency_conflict", "Idempotency-Key")
	b.askPath("POST", "/campaigns", body, withHeader{"Idempotency-Key", "\x7f"}).failure(422, "validation_error", "Idempotency-Key")
	if n := len(b.askPath("GET", "/campaigns", "").want(200).at("data").([]any)); n != 1 {
		t.Errorf("%d campaigns", n)
	}
	other := b.askPath("POST", "/campaigns", body, key, withKey(rival))
	if other.Code == 201 && other.at("data", "id") == first.at("data", "id") {
		t.Errorf("another organization gets it: %s", other.Body)
	}
}

// TestCampaignPeople checks that a person counts once, regardless of the number of calls, and that each count of people
// is a filter of calls in its campaign and organization only.
func TestCampaignPeople(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	var rows []string
	for i := range 4 {
		rows = append(rows, fmt.Sprintf(`{"phone_number":"+96650000%04d","variables":{"name":"سارة"}}`, i))
	}
	body := `{"name":"Visits","scenario_id":"reminder","retry":{"max_attempts":2},"calls":[` + strings.Join(rows, ",") + `]}`
	id := b.askPath("POST", "/campaigns", body).want(201).at("data", "id").(string)
	list := func(query string) []any {
		t.Helper()
		return b.askPath("GET", "/calls?campaign_id="+id+"&sort=due_at&order=asc"+query, "").want(200).at("data").([]any)
	}
	for i, one := range list("") {
		status := []call.CallStatus{call.Completed, call.NoAnswer, call.UserRejected, call.UserRejected}[i]
		reason := []call.FailureReason{"", call.RingTimeout, call.Busy, call.Declined}[i]
		callID := one.(map[string]any)["id"].(string)
		_, err := b.store.ReleaseCall(b.Context(), "acme", callID, b.now)
		mustSucceed(t, err)
		outcome := call.CallOutcome{Status: status, Failure: &call.CallFailure{Reason: reason}}
		if status == call.Completed {
			_, err = b.store.AnswerCall(b.Context(), "acme", callID, "", b.now)
			mustSucceed(t, err)
			outcome.Failure, outcome.Report = nil, []byte(`{"confirmed":true}`)
		}
		ended, err := b.store.FinishCall(b.Context(), "acme", callID, outcome, nil, b.now)
		mustSucceed(t, err)
		if next := ended.Attempt.NextID; next != nil {
			_, err = b.store.CancelCall(b.Context(), "acme", *next, "key:x", b.now)
			mustSucceed(t, err)
		}
	}
	for _, found := range []apiResponse{b.askPath("GET", "/campaigns/"+id, ""), b.askPath("GET", "/campaigns", "")} {
		at := func(path ...any) any {
			if _, isList := found.want(200).at("data").([]any); isList {
				path = append([]any{0}, path...)
			}
			return found.at(append([]any{"data"}, path...)...)
		}
		if at("people", "total") != 4.0 || at("people", "unreached") != 1.0 ||
			fmt.Sprint(at("people", "counts")) != "map[cancelled:1 completed:1 user_rejected:2]" ||
			fmt.Sprint(at("people", "answers")) != "map[confirmed:map[true:1]]" || at("counts", "user_rejected") != 2.0 {
			t.Errorf("counted %s", found.Body)
		}
	}
	for query, want := range map[string]int{
		"": 5, "&people=": 5, "&people=all": 4, "&people=unreached": 1, "&people=all&status=user_rejected": 2,
		"&people=all&status=cancelled": 1, "&people=all&status=scheduled": 0, "&people=unreached&number_contains=0002": 1,
	} {
		if got := list(query); len(got) != want {
			t.Errorf("%q lists %d calls, want %d", query, len(got), want)
		}
	}
	b.askPath("GET", "/calls?people=all", "").failure(422, "validation_error", "people")
	b.askPath("GET", "/calls?people=some&campaign_id="+id, "").failure(422, "validation_error", "people")
	if n := len(b.askPath("GET", "/calls?people=all&campaign_id="+id, "", withKey(rival)).want(200).at("data").([]any)); n != 0 {
		t.Errorf("another organization lists %d people", n)
	}
}
