package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store/delivery"
)

// TestDestinations adds, changes, lists and deletes destinations: the secret is shown once, and what is not named stays.
func TestDestinations(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("GET", "/destinations", "").want(200)
	made := b.askPath("POST", "/destinations",
		`{"url":"https://hooks.example/a?b=1&c=2","events":["job.finished","call.booked","job.finished"]}`).want(201)
	id, secret := made.text("data", "id"), made.text("data", "secret")
	if !strings.HasPrefix(id, "dest_") || !strings.HasPrefix(secret, "whsec_") || made.text("data", "events", 0) != "call.booked" ||
		made.Header().Get("Location") != "/api/v1/destinations/"+id {
		t.Errorf("made %s", made.Body)
	}
	path := "/destinations/" + id
	if got := b.askPath("GET", path, "").want(200); got.text("data", "url") != "https://hooks.example/a?b=1&c=2" ||
		strings.Contains(got.Body.String(), "whsec_") {
		t.Errorf("GET shows %s", got.Body)
	}
	shown, err := json.Marshal(b.askPath("GET", path, "").at("data"))
	mustSucceed(t, err)
	b.askPath("PATCH", path, string(shown)).want(200) // what GET shows may be sent back
	if got := b.askPath("PATCH", path, `{"enabled":false}`).want(200).Body.String(); !strings.Contains(got, `"enabled":false`) ||
		!strings.Contains(got, "hooks.example/a") || strings.Contains(got, "whsec_") {
		t.Errorf("PATCH answers %s", got)
	}
	b.askPath("POST", "/calls", minimal).want(201)
	if got := b.askPath("GET", path+"/deliveries", "").want(200); strings.Contains(got.Body.String(), "evt_") {
		t.Errorf("while it is off it gets %s", got.Body)
	}
	b.askPath("DELETE", path, "").want(200)
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		b.askPath(method, path, map[string]string{"PATCH": `{}`}[method]).failure(404, "not_found")
	}
	b.askPath("GET", path+"/deliveries", "").failure(404, "not_found")
}

// TestDestinationViolations names every fault of a destination; the URL is judged as that of a webhook.
func TestDestinationViolations(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	id := b.askPath("POST", "/destinations", `{"url":"https://hooks.example/","events":["call.booked"]}`).want(201).text("data", "id")
	for body, fields := range map[string][]string{
		`{}`:                                    {"url", "events"},
		`{"url":"ftp://x.example","events":[]}`: {"url", "events"},
		`{"url":7,"events":"call.booked"}`:      {"events", "url"},
		`{"url":"https://x.example","events":["call.booked","call.over",""]}`:                   {"events.1", "events.2"},
		`{"url":"https://x.example","events":["call.booked"],"enabled":"yes"}`:                  {"enabled"},
		`{"url":"https://x.example","events":["call.booked"],"secret":"whsec_x"}`:               {"secret"},
		`{"url":"http://169.254.169.254/latest","events":["call.booked"]}`:                      {"url"},
		`{"url":"https://` + strings.Repeat("x", 2048) + `.example","events":["job.finished"]}`: {"url"},
	} {
		b.askPath("POST", "/destinations", body).failure(422, "validation_error", fields...)
	}
	for body, field := range map[string]string{
		`{"url":""}`: "url", `{"url":"http://169.254.169.254/"}`: "url", `{"events":[]}`: "events", `{"events":["x"]}`: "events.0",
	} {
		b.askPath("PATCH", "/destinations/"+id, body).failure(422, "validation_error", field)
	}
	b.askPath("POST", "/destinations", `[]`).failure(400, "malformed_request")
	b.askPath("GET", "/destinations?limit=1", "").failure(422, "validation_error", "limit")
}

// TestDestinationBound checks that one destination more than the maximum is a conflict.
func TestDestinationBound(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	body := `{"url":"https://hooks.example/","events":["call.booked"]}`
	for range delivery.MaxDestinations {
		b.askPath("POST", "/destinations", body).want(201)
	}
	b.askPath("POST", "/destinations", body).failure(409, "conflict")
}

// TestEventDeliveries lists the deliveries of a destination by state, and redelivers an ended one.
func TestEventDeliveries(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	id := b.askPath("POST", "/destinations", `{"url":"https://hooks.example/","events":["call.booked"]}`).want(201).text("data", "id")
	call := b.askPath("POST", "/calls", minimal).want(201).text("data", "id")
	path := "/destinations/" + id + "/deliveries"
	listed := b.askPath("GET", path+"?state=pending", "").want(200)
	event := listed.text("data", 0, "id")
	if listed.text("data", 0, "subject_id") != call || listed.text("data", 0, "type") != "call.booked" {
		t.Errorf("listed %s", listed.Body)
	}
	b.askPath("POST", path+"/"+event+"/redeliver", "").failure(409, "conflict")
	at := b.now.Add(time.Second)
	_, err := b.store.RecordEventTry(t.Context(), "acme", id, event, delivery.DeliveryTry{
		At: at, URL: "https://hooks.example/", StatusCode: http.StatusNoContent, Sent: []byte("{}"),
	}, at)
	mustSucceed(t, err)
	b.askPath("PATCH", "/destinations/"+id, `{"enabled":false}`).want(200)
	b.askPath("POST", path+"/"+event+"/redeliver", "").failure(422, "validation_error", "enabled")
	b.askPath("PATCH", "/destinations/"+id, `{"enabled":true}`).want(200)
	if got := b.askPath("POST", path+"/"+event+"/redeliver", "").want(202); got.text("data", "state") != "pending" ||
		got.text("data", "id") != event {
		t.Errorf("redelivered %s", got.Body)
	}
	b.askPath("POST", path+"/evt_none/redeliver", "").failure(404, "not_found")
	b.askPath("GET", path+"?state=none", "").failure(422, "validation_error", "state")
	if words := slices.Sorted(strings.SplitSeq(b.askPath("GET", path, "").want(200).Body.String(), `"`)); slices.Contains(words, "request_body") {
		t.Error("an attempt lists a body that is stored once")
	}
}

// TestDestinationRotation: a new secret is shown once, and the old one stays listed until it expires.
func TestDestinationRotation(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	made := b.askPath("POST", "/destinations", `{"url":"https://hooks.example/","events":["call.booked"]}`).want(201)
	path, first := "/destinations/"+made.text("data", "id"), made.text("data", "secret")
	rotated := b.askPath("PATCH", path, `{"rotate_secret":true}`).want(200)
	second := rotated.text("data", "secret")
	if !strings.HasPrefix(second, "whsec_") || second == first || len(rotated.at("data", "secrets").([]any)) != 2 ||
		rotated.at("data", "secrets", 0, "expires_at") != nil || rotated.text("data", "secrets", 1, "expires_at") == "" {
		t.Errorf("rotated %s", rotated.Body)
	}
	board, err := b.store.FindDestinations(t.Context(), "acme")
	if err != nil || board.Destinations[0].Secrets[0].Value != second || board.Destinations[0].Secrets[1].Value != first {
		t.Errorf("stored %+v, %v", board, err)
	}
	if got := b.askPath("GET", path, "").want(200); strings.Contains(got.Body.String(), "whsec_") {
		t.Errorf("GET shows %s", got.Body)
	}
	b.now = b.now.Add(delivery.Overlap)
	if got := b.askPath("GET", path, "").want(200); len(got.at("data", "secrets").([]any)) != 1 {
		t.Errorf("after a day %s", got.Body)
	}
	b.askPath("PATCH", path, `{"rotate_secret":"yes"}`).failure(422, "validation_error", "rotate_secret")
	b.askPath("POST", "/destinations", `{"url":"https://hooks.example/","events":["call.booked"],"rotate_secret":true}`).
		failure(422, "validation_error", "rotate_secret")
}

// TestReplay queues what ended from a time on, and names what is wrong with a request.
func TestReplay(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	id := b.askPath("POST", "/destinations", `{"url":"https://hooks.example/","events":["call.booked"]}`).want(201).text("data", "id")
	b.askPath("POST", "/calls", minimal).want(201)
	path := "/destinations/" + id
	event := b.askPath("GET", path+"/deliveries", "").text("data", 0, "id")
	_, err := b.store.RecordEventTry(t.Context(), "acme", id, event, delivery.DeliveryTry{At: b.now, StatusCode: 204}, b.now)
	mustSucceed(t, err)
	for body, want := range map[string]string{
		`{"from":` + b.timeIn(-3600e9) + `,"failed":true}`:                  `"queued":0`,
		`{"from":` + b.timeIn(-3600e9) + `,"to":` + b.timeIn(-1800e9) + `}`: `"queued":0`,
		`{"from":` + b.timeIn(-3600e9) + `,"events":["job.finished"]}`:      `"queued":0`,
	} {
		if got := b.askPath("POST", path+"/replay", body).want(202).Body.String(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", body, got)
		}
	}
	got := b.askPath("POST", path+"/replay", `{"from":`+b.timeIn(-3600e9)+`}`).want(202)
	if !strings.Contains(got.Body.String(), `"queued":1`) || got.at("data", "more_from") != nil {
		t.Errorf("replayed %s", got.Body)
	}
	if state := b.askPath("GET", path+"/deliveries", "").text("data", 0, "state"); state != "pending" {
		t.Errorf("the delivery is %s", state)
	}
	for body, field := range map[string]string{
		`{}`: "from", `{"from":"yesterday"}`: "from", `{"from":` + b.timeIn(60e9) + `}`: "from",
		`{"from":` + b.timeIn(-60e9) + `,"to":` + b.timeIn(-120e9) + `}`: "to",
		`{"from":` + b.timeIn(-60e9) + `,"events":[]}`:                   "events",
		`{"from":` + b.timeIn(-60e9) + `,"events":["x"]}`:                "events.0",
		`{"from":` + b.timeIn(-60e9) + `,"failed":1}`:                    "failed",
		`{"from":` + b.timeIn(-60e9) + `,"since":1}`:                     "since",
	} {
		b.askPath("POST", path+"/replay", body).failure(422, "validation_error", field)
	}
	b.askPath("PATCH", path, `{"enabled":false}`).want(200)
	b.askPath("POST", path+"/replay", `{"from":`+b.timeIn(-60e9)+`}`).failure(422, "validation_error", "enabled")
	b.askPath("POST", "/destinations/dest_none/replay", `{"from":`+b.timeIn(-60e9)+`}`).failure(404, "not_found")
}
