package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"munadi/appliance/api"
	"munadi/appliance/httpserver/ratelimit"
	"munadi/store"
)

// TestEveryErrorHasTheEnvelope checks that every error below /api/v1 has the envelope, and other errors do not.
func TestEveryErrorHasTheEnvelope(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("GET", "/nowhere", "").failure(404, "not_found")
	b.askPath("GET", "", "").failure(404, "not_found")
	b.askPath("GET", "/", "").failure(404, "not_found")
	b.askPath("GET", "/calls/", "").failure(404, "not_found")
	b.askPath("POST", "/nowhere", "{}", withKey("")).failure(404, "not_found")
	for path, allowed := range map[string]string{
		"/calls": "GET, HEAD, OPTIONS, POST", "/health": "GET, HEAD, OPTIONS", "/webhook/test": "OPTIONS, POST",
	} {
		got := b.askPath("PATCH", path, "{}").failure(405, "method_not_allowed")
		for _, method := range strings.Split(allowed, ", ") {
			if !strings.Contains(got.Header().Get("Allow"), method) {
				t.Errorf("%s: Allow %q lacks %s", path, got.Header().Get("Allow"), method)
			}
		}
	}
	b.askPath("GET", "/panics", "").failure(500, "internal_error")
	loading := b.askPath("GET", "/loads", "").failure(503, "unavailable")
	if loading.Header().Get("Retry-After") != "1" || loading.text("error", "message") != "The model is being loaded" {
		t.Errorf("%v %s", loading.Header(), loading.Body)
	}
	if got := b.askPath("OPTIONS", "/calls", ""); got.Code != 204 || !strings.Contains(got.Header().Get("Allow"), "POST") {
		t.Errorf("OPTIONS: %d %v", got.Code, got.Header())
	}
	for path, want := range map[string]string{
		"/compat/v1/models": `{"detail":"Not Found"}`, "/api/v10": `{"detail":"Not Found"}`, "/api": `{"detail":"Not Found"}`,
	} {
		w := httptest.NewRecorder()
		b.echo.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		if w.Code != 404 || strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestCompressedBody checks that a compressed body is refused with 415 before it is read.
func TestCompressedBody(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	gzip := withHeader{"Content-Encoding", "gzip"}
	for _, at := range [][2]string{{"POST", "/calls"}, {"POST", "/suppressions"}, {"PUT", "/organization"}, {"PUT", "/webhook"}} {
		got := b.askPath(at[0], at[1], "{}", gzip).failure(415, "unsupported_media_type")
		if !strings.Contains(got.text("error", "message"), "without compression") {
			t.Errorf("%v: %s", at, got.Body)
		}
	}
	b.askPath("POST", "/calls", "{}", gzip, withKey("")).failure(401, "authentication_error")
}

// stalledBody fails like the body of a client that sends too slowly: net/http then cancels the request's context.
type stalledBody struct{ cancel context.CancelFunc }

func (s stalledBody) Read([]byte) (int, error) {
	s.cancel()
	return 0, os.ErrDeadlineExceeded
}

// TestSlowBody checks that a body that arrives too slowly gets 408 in the envelope.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "POST", api.Root+"/calls", stalledBody{cancel})
	r.Header.Set("Authorization", "Bearer "+acme)
	r.Header.Set("Content-Type", "application/json")
	b.sendRequest(r).failure(408, "request_timeout")
}

// TestKeys checks that every operation except the public ones answers 401 before any other check, and 403 without the
// scope.
func TestKeys(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for _, o := range operations {
		for value, want := range map[string]string{
			"": "401 authentication_error", "nobody": "401 authentication_error", sttKey: "403 permission_error",
			"broken": "500 internal_error",
		} {
			got := b.askPath(o.method, o.path, "not even JSON", withKey(value))
			if said := fmt.Sprint(got.Code, " ", got.text("error", "type")); said != want {
				t.Errorf("%s %s with %q: %s", o.method, o.path, value, said)
			}
			if got.Code == 401 && got.Header().Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s %s: no challenge", o.method, o.path)
			}
		}
	}
}

// operations has one request of each operation that requires a key.
var operations = []struct{ method, path string }{
	{"POST", "/calls"},
	{"GET", "/calls"},
	{"GET", "/calls/x"},
	{"POST", "/calls/x/reschedule"},
	{"POST", "/calls/x/cancel"},
	{"POST", "/calls/x/hangup"},
	{"GET", "/calls/x/recording"},
	{"DELETE", "/people/+966500000001"},
	{"GET", "/scenarios"},
	{"POST", "/scenarios"},
	{"GET", "/scenarios/reminder"},
	{"PUT", "/scenarios/reminder"},
	{"DELETE", "/scenarios/reminder"},
	{"GET", "/organization"},
	{"PUT", "/organization"},
	{"GET", "/suppressions"},
	{"POST", "/suppressions"},
	{"DELETE", "/suppressions/+966500000001"},
	{"GET", "/webhook"},
	{"PUT", "/webhook"},
	{"POST", "/webhook/test"},
	{"GET", "/webhook/deliveries"},
	{"POST", "/webhook/deliveries/x/redeliver"},
}

// TestDraining checks that during a shutdown changes are refused and reads are answered.
func TestDraining(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.health.SetDraining()
	for _, o := range operations {
		got := b.askPath(o.method, o.path, "{}")
		if o.method == "GET" {
			if got.Code == 503 {
				t.Errorf("%s %s: %d", o.method, o.path, got.Code)
			}
			continue
		}
		got.failure(503, "unavailable")
		if got.Header().Get("Retry-After") == "" {
			t.Errorf("%s %s: no Retry-After", o.method, o.path)
		}
	}
	b.askPath("GET", "/health", "", withKey("")).failure(503, "unavailable")
	if strings.Contains(b.log.String(), "level=ERROR") {
		t.Errorf("a refusal is logged as a fault: %s", b.log)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	got := b.askPath("GET", "/health", "", withKey("")).want(200)
	if got.text("data", "status") != "ok" || got.at("data", "carrier", "simulated") != true {
		t.Errorf("%s", got.Body)
	}
	b.askPath("HEAD", "/health", "").want(200)
	b.health.SetBroken("the model is gone")
	if broken := b.askPath("GET", "/health", "").failure(503, "unavailable"); broken.text("error", "message") != "the model is gone" {
		t.Errorf("%s", broken.Body)
	}
}

// TestInternalErrorHidesDetails checks that an internal error is logged in full, and that the client gets no details.
func TestInternalErrorHidesDetails(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.store.broken = errors.New("secret fault")
	for _, path := range []string{"/calls", "/scenarios", "/organization", "/webhook"} {
		if path == "/calls" {
			b.askPath("POST", path, minimal).failure(500, "internal_error")
			continue
		}
		got := b.askPath("GET", path, "").failure(500, "internal_error")
		if strings.Contains(got.Body.String(), "secret") {
			t.Errorf("%s", got.Body)
		}
	}
	if !strings.Contains(b.log.String(), "secret fault") || !strings.Contains(b.log.String(), "level=ERROR") {
		t.Errorf("the log: %s", b.log)
	}
	b.store.broken = store.Errorf(store.CodeClosed, "closed")
	b.askPath("GET", "/webhook", "").failure(503, "unavailable")
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	var b *apiFixture
	b = newAPIFixture(t, func(d *api.Dependencies) {
		d.Limit = ratelimit.NewLimiter(func() int { return 3 }, func() time.Time { return b.now }).TakeToken
	})
	for range 3 {
		b.askPath("GET", "/webhook", "").want(200)
	}
	got := b.askPath("GET", "/webhook", "").failure(429, "rate_limited")
	if got.Header().Get("Retry-After") != "20" {
		t.Errorf("Retry-After %q", got.Header().Get("Retry-After"))
	}
	b.askPath("GET", "/webhook", "", withKey(rival)).want(200)
	b.askPath("GET", "/webhook", "", withKey("")).want(401)
	b.now = b.now.Add(20 * time.Second)
	b.askPath("GET", "/webhook", "").want(200)
	b.askPath("GET", "/calls/x/recording", "").failure(429, "rate_limited")
	b.now = b.now.Add(time.Hour)
	for range 3 {
		b.askPath("GET", "/webhook", "").want(200)
	}
	b.askPath("GET", "/webhook", "").want(429)
	b.now = began // a clock that is set back hands out nothing
	b.askPath("GET", "/webhook", "").want(429)
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	big := withFields(`"metadata":{"a":"` + strings.Repeat("x", 1<<20) + `"}`)
	b.askPath("POST", "/calls", big).failure(413, "payload_too_large")
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/calls", struct{ *strings.Reader }{strings.NewReader(big)})
	r.ContentLength = -1
	r.Header.Set("Authorization", "Bearer "+acme)
	b.sendRequest(r).failure(413, "payload_too_large")
	csv := withHeader{"Content-Type", "text/csv"}
	line := "+966500000001," + strings.Repeat("x", 400) + "\n"
	b.askPath("POST", "/suppressions", strings.Repeat(line, 3000), csv).want(201)
	b.askPath("POST", "/suppressions", strings.Repeat(line, 30_000), csv).failure(413, "payload_too_large")
}

// TestRequestID checks that a client's UUID is kept and is in the body.
func TestRequestID(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	const own = "6d0a4b0e-0b0e-4f6e-9f0e-0b0e4f6e9f0e"
	for _, path := range []string{"/webhook", "/nowhere", "/calls"} {
		if got := b.askPath("GET", path, "", withHeader{"X-Request-Id", own}); got.text("meta", "request_id") != own {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
	if got := b.askPath("GET", "/webhook", "", withHeader{"X-Request-Id", "mine"}); len(got.text("meta", "request_id")) != len(own) {
		t.Errorf("%s", got.Body)
	}
}

// TestNumbersStayOutOfTheLog checks that telephone numbers are masked in the log, except for their ends.
func TestNumbersStayOutOfTheLog(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	b.askPath("DELETE", "/people/+966512345678", "").want(200)
	b.askPath("DELETE", "/suppressions/966512345678", "", withKey("")).want(401)
	b.askPath("GET", "/calls?phone_number=%2B966512345678", "").want(200)
	b.askPath("POST", "/calls", strings.Replace(minimal, "+966500000001", "+966512345678", 1)).want(201)
	if strings.Contains(b.log.String(), "12345") || !strings.Contains(b.log.String(), "+9665") {
		t.Errorf("the log: %s", b.log)
	}
	if !strings.Contains(b.log.String(), "org=acme") || !strings.Contains(b.log.String(), "key=k1") {
		t.Errorf("the log does not say who: %s", b.log)
	}
}

// TestHEAD checks that every GET route answers HEAD with the same status and no body.
func TestHEAD(t *testing.T) {
	t.Parallel()
	b := newAPIFixture(t)
	for _, o := range operations {
		if o.method != http.MethodGet {
			continue
		}
		got, bare := b.askPath("GET", o.path, ""), b.askPath("HEAD", o.path, "")
		if got.Code != bare.Code {
			t.Errorf("%s: GET %d, HEAD %d", o.path, got.Code, bare.Code)
		}
	}
}
