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

// v1 is where the call platform lives.
const v1 = "/api/v1"

// conversation is how long a simulated call may take here, whatever else the machine does.
const conversation = 2 * time.Minute

// caller starts an appliance whose simulated calls run twenty times as fast as the clock.
func caller(t testing.TB, s settings) *instance {
	t.Helper()
	s.args = append(s.args, "--time-scale", "20")
	return start(t, s)
}

// ask sends a JSON body (nil: none) below /api/v1.
func (a *instance) ask(t testing.TB, method, path string, body any, parts ...part) answer {
	t.Helper()
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		must(t, err)
		content = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, a.URL+v1+path, content)
	must(t, err)
	if a.key != "" {
		parts = append([]part{key(a.key)}, parts...)
	}
	r.Header = newRequest(parts).header
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return send(t, r)
}

// data is what a success carries.
func (a answer) data(t testing.TB) object {
	t.Helper()
	body := object(a.object(t))
	if id, _ := body.at("meta", "request_id").(string); id == "" || id != a.Header.Get("X-Request-Id") {
		t.Errorf("meta.request_id %q, header %q", id, a.Header.Get("X-Request-Id"))
	}
	return body.object("data")
}

// failure wants an error envelope of that status and type.
func (a answer) failure(t testing.TB, status int, kind string) object {
	t.Helper()
	a.want(t, status)
	body := object(a.object(t))
	if got := body.at("error", "type"); got != kind {
		t.Errorf("error.type %v, want %s: %s", got, kind, a)
	}
	if _, ok := body.at("error", "field_violations").([]any); !ok {
		t.Errorf("no field_violations: %s", a)
	}
	return body.object("error")
}

// object is a JSON object.
type object map[string]any

// at follows keys into objects; nil where one is missing.
func (o object) at(keys ...string) any {
	var v any = map[string]any(o)
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

func (o object) object(keys ...string) object { m, _ := o.at(keys...).(map[string]any); return m }

func (o object) text(keys ...string) string { s, _ := o.at(keys...).(string); return s }

func (o object) list(keys ...string) []any { l, _ := o.at(keys...).([]any); return l }

// book books a call to a simulated number and returns it.
func (a *instance) book(t testing.TB, number, scenario string, more object) object {
	t.Helper()
	body := object{"phone_number": number, "scenario_id": scenario}
	for k, v := range more {
		body[k] = v
	}
	return a.ask(t, http.MethodPost, "/calls", body).want(t, 201).data(t)
}

// call fetches one.
func (a *instance) call(t testing.TB, id string) object {
	t.Helper()
	return a.ask(t, http.MethodGet, "/calls/"+id, nil).want(t, 200).data(t)
}

// running are the statuses of a call that has not ended.
var running = []string{"scheduled", "dialing", "in_progress"}

// ended waits until a call has one of the final statuses.
func (a *instance) ended(t testing.TB, id string) object {
	t.Helper()
	return a.until(t, id, func(c object) bool { return !slices.Contains(running, c.text("status")) })
}

// until waits for a call to be as wanted.
func (a *instance) until(t testing.TB, id string, wanted func(object) bool) object {
	t.Helper()
	deadline := time.Now().Add(conversation)
	for {
		c := a.call(t, id)
		if wanted(c) {
			return c
		}
		if time.Now().After(deadline) {
			t.Fatalf("the call stays %v\n%s", c, a.log.tail())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// receiver is an integrator's webhook endpoint.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []object
	bodies []string // as they came
	heads  []http.Header
	grew   chan struct{} // closed and replaced at each notification
}

// newReceiver answers as reply says; nil answers 200.
func newReceiver(t testing.TB, reply http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{grew: make(chan struct{})}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var body object
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

// await returns the first notification of a call.
func (r *receiver) await(t testing.TB, id string) object {
	t.Helper()
	deadline := time.After(conversation)
	for {
		r.mu.Lock()
		grew := r.grew
		r.mu.Unlock()
		if all := r.of(id); len(all) > 0 {
			return all[0]
		}
		select {
		case <-grew:
		case <-deadline:
			t.Fatalf("no webhook of %s came", id)
		}
	}
}

// of are the notifications of a call, in order.
func (r *receiver) of(id string) []object {
	r.mu.Lock()
	defer r.mu.Unlock()
	var some []object
	for _, body := range r.got {
		if body.text("call_id") == id {
			some = append(some, body)
		}
	}
	return some
}

// listen has the appliance send its webhooks to the receiver.
func (a *instance) listen(t testing.TB, r *receiver) {
	t.Helper()
	a.ask(t, http.MethodPut, "/webhook", object{"url": r.URL + "/hook/secret-path", "enabled": true}).want(t, 200)
}

// simulated is a telephone number that ends so.
func simulated(ending string) string { return "+9665000000" + ending }

// soon is a time from now, as the API takes it.
func soon(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }

// timestamp wants RFC 3339 in UTC with milliseconds.
func timestamp(t testing.TB, what, value string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02T15:04:05.000Z", value)
	if err != nil {
		t.Errorf("%s %q is no time in UTC with milliseconds", what, value)
	}
	return at
}

// seconds is a JSON number as text, for messages.
func seconds(v any) string { return fmt.Sprintf("%v s", v) }
