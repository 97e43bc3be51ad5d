package whole_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// v1 is the base path of the call platform's API.
const v1 = "/api/v1"

// conversation is the longest time that a simulated call may take here on a busy machine.
const conversation = 5 * time.Minute

// startFastCalls starts an appliance whose simulated calls run at twenty times real time.
func startFastCalls(t testing.TB, s instanceSettings) *testInstance {
	t.Helper()
	s.args = append(s.args, "--time-scale", "20")
	return startInstance(t, s)
}

// requestAPI sends a JSON body (nil: none) to a path below /api/v1.
func (a *testInstance) requestAPI(t testing.TB, method, path string, body any, parts ...requestPart) testAnswer {
	t.Helper()
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		mustSucceed(t, err)
		content = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, a.URL+v1+path, content)
	mustSucceed(t, err)
	if a.key != "" {
		parts = append([]requestPart{withKey(a.key)}, parts...)
	}
	r.Header = newRequest(parts).header
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return sendRequest(t, r)
}

// successData returns the data of a successful answer.
func (a testAnswer) successData(t testing.TB) jsonObject {
	t.Helper()
	body := jsonObject(a.jsonBody(t))
	if id, _ := body.valueAt("meta", "request_id").(string); id == "" || id != a.Header.Get("X-Request-Id") {
		t.Errorf("meta.request_id %q, header %q", id, a.Header.Get("X-Request-Id"))
	}
	return body.objectAt("data")
}

// wantFailure expects an error envelope with this status and type.
func (a testAnswer) wantFailure(t testing.TB, status int, kind string) jsonObject {
	t.Helper()
	a.wantStatus(t, status)
	body := jsonObject(a.jsonBody(t))
	if got := body.valueAt("error", "type"); got != kind {
		t.Errorf("error.type %v, want %s: %s", got, kind, a)
	}
	if _, ok := body.valueAt("error", "field_violations").([]any); !ok {
		t.Errorf("no field_violations: %s", a)
	}
	return body.objectAt("error")
}

// jsonObject is a JSON object.
type jsonObject map[string]any

// valueAt follows keys into nested objects; nil where one is missing.
func (o jsonObject) valueAt(keys ...string) any {
	var v any = map[string]any(o)
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

func (o jsonObject) objectAt(keys ...string) jsonObject {
	m, _ := o.valueAt(keys...).(map[string]any)
	return m
}

func (o jsonObject) textAt(keys ...string) string { s, _ := o.valueAt(keys...).(string); return s }

func (o jsonObject) listAt(keys ...string) []any { l, _ := o.valueAt(keys...).([]any); return l }

// bookCall books a call to a simulated number and returns it.
func (a *testInstance) bookCall(t testing.TB, number, scenario string, more jsonObject) jsonObject {
	t.Helper()
	body := jsonObject{"phone_number": number, "scenario_id": scenario}
	for k, v := range more {
		body[k] = v
	}
	return a.requestAPI(t, http.MethodPost, "/calls", body).wantStatus(t, 201).successData(t)
}

func (a *testInstance) fetchCall(t testing.TB, id string) jsonObject {
	t.Helper()
	return a.requestAPI(t, http.MethodGet, "/calls/"+id, nil).wantStatus(t, 200).successData(t)
}

// running are the statuses of a call that has not ended.
var running = []string{"scheduled", "dialing", "in_progress"}

// awaitEnded waits until a call has a final status.
func (a *testInstance) awaitEnded(t testing.TB, id string) jsonObject {
	t.Helper()
	return a.awaitCall(t, id, func(c jsonObject) bool { return !slices.Contains(running, c.textAt("status")) })
}

// awaitCall waits until a call satisfies a condition.
func (a *testInstance) awaitCall(t testing.TB, id string, wanted func(jsonObject) bool) jsonObject {
	t.Helper()
	deadline := time.Now().Add(conversation)
	for {
		c := a.fetchCall(t, id)
		if wanted(c) {
			return c
		}
		if time.Now().After(deadline) {
			t.Fatalf("the call stays %v\n%s", c, a.log.lastLines())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// webhookReceiver is a webhook endpoint that records its requests.
type webhookReceiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []jsonObject
	bodies []string // unparsed
	heads  []http.Header
	grew   chan struct{} // closed and replaced at each notification
}

// newReceiver starts a receiver that answers with reply; nil answers 200.
func newReceiver(t testing.TB, reply http.HandlerFunc) *webhookReceiver {
	t.Helper()
	r := &webhookReceiver{grew: make(chan struct{})}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var body jsonObject
		raw, err := io.ReadAll(req.Body)
		if err = errors.Join(err, json.Unmarshal(raw, &body)); err != nil {
			t.Errorf("a webhook that is no JSON: %v", err)
		}
		r.mu.Lock()
		r.got, r.bodies, r.heads = append(r.got, body), append(r.bodies, string(raw)), append(r.heads, req.Header.Clone())
		close(r.grew)
		r.grew = make(chan struct{})
		r.mu.Unlock()
		if reply != nil {
			reply(w, req)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// awaitNotification returns the first notification of a call.
func (r *webhookReceiver) awaitNotification(t testing.TB, id string) jsonObject {
	t.Helper()
	deadline := time.After(conversation)
	for {
		r.mu.Lock()
		grew := r.grew
		r.mu.Unlock()
		if all := r.notificationsOf(id); len(all) > 0 {
			return all[0]
		}
		select {
		case <-grew:
		case <-deadline:
			t.Fatalf("no webhook of %s came", id)
		}
	}
}

// notificationsOf returns the notifications of a call, in order.
func (r *webhookReceiver) notificationsOf(id string) []jsonObject {
	r.mu.Lock()
	defer r.mu.Unlock()
	var some []jsonObject
	for _, body := range r.got {
		if body.textAt("call_id") == id {
			some = append(some, body)
		}
	}
	return some
}

// setReceiver makes the receiver the organization's webhook.
func (a *testInstance) setReceiver(t testing.TB, r *webhookReceiver) {
	t.Helper()
	a.requestAPI(t, http.MethodPut, "/webhook", jsonObject{"url": r.URL + "/hook/secret-path", "enabled": true}).wantStatus(t, 200)
}

// simulatedNumber returns a simulated telephone number with these last digits.
func simulatedNumber(ending string) string { return "+9665000000" + ending }

// timeFromNow formats a time relative to now as the API expects it.
func timeFromNow(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }

// checkTimestamp expects RFC 3339 in UTC with milliseconds.
func checkTimestamp(t testing.TB, what, value string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04:05.000Z", value)
	if err != nil {
		t.Errorf("%s %q is no time in UTC with milliseconds", what, value)
	}
	return at
}

// formatSeconds formats a JSON number for messages.
func formatSeconds(v any) string { return fmt.Sprintf("%v s", v) }
