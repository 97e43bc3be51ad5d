package whole_test

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestProbesOfAReadyAppliance(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for path, want := range map[string]string{
		"/health": `{"status":"ok","message":"svc-stt is ready"}`,
		"/livez":  `{"status":"alive"}`,
		"/readyz": `{"status":"ready"}`,
	} {
		got := a.getPath(t, path, withKey("")).wantStatus(t, http.StatusOK)
		if strings.TrimSpace(got.String()) != want || !strings.HasPrefix(got.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %s %s, want %s", path, got.Header.Get("Content-Type"), got, want)
		}
	}
}

// TestProbesWhileTheModelLoads checks that all probes answer from the log line "listening" on, and that requests are
// refused until the model is loaded.
func TestProbesWhileTheModelLoads(t *testing.T) {
	t.Parallel()
	a, err := launchProcess(builtBinary(t), instanceSettings{data: t.TempDir()})
	mustSucceed(t, err)
	defer func() {
		if err := a.endInstance(); err != nil {
			t.Error(err)
		}
	}()
	status, body := a.probePath(t.Context(), "/readyz")
	if status == http.StatusOK {
		t.Skip("the model was loaded before it could be asked")
	}
	if status != http.StatusServiceUnavailable || body != `{"status":"starting"}` {
		t.Errorf("/readyz while loading: %d %s", status, body)
	}
	if status, body = a.probePath(t.Context(), "/livez"); status != http.StatusOK {
		t.Errorf("/livez while loading: %d %s", status, body)
	}
	got := a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav")))
	if got.Status != http.StatusOK && (got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "") {
		t.Errorf("work while loading: %d %s", got.Status, got)
	}
	mustSucceed(t, a.awaitReady())
}

// TestRequestID checks that every answer has a UUID, the client's if it sent one, and that the log has it too.
func TestRequestID(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	own := uuid.NewString()
	for _, c := range []struct {
		path, sent string
		status     int
	}{
		{"/health", own, 200},
		{"/health", strings.ToUpper(uuid.NewString()), 200},
		{"/nowhere", uuid.NewString(), 404},
		{"/", uuid.NewString(), 200},
		{"/openapi.json", uuid.NewString(), 200},
		{"/metrics", uuid.NewString(), 200},
	} {
		got := a.getPath(t, c.path, withHeader("X-Request-Id", c.sent)).wantStatus(t, c.status).Header.Get("X-Request-Id")
		if got != c.sent {
			t.Errorf("%s: sent %s, got %q", c.path, c.sent, got)
		}
		if _, err := a.log.awaitPattern(regexp.MustCompile("msg=request request_id="+c.sent+" .*status="), a.processExited()); err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
	}
	seen := map[string]bool{}
	for _, sent := range []string{"", "1", "not-a-uuid", "{" + own + "}", "urn:uuid:" + own, own + "0", strings.Repeat("a", 36)} {
		got := a.getPath(t, "/livez", withHeader("X-Request-Id", sent)).Header.Get("X-Request-Id")
		if uuid.Validate(got) != nil || len(got) != 36 || got == own || seen[got] {
			t.Errorf("sent %q, got %q", sent, got)
		}
		seen[got] = true
	}
	for _, refused := range []testAnswer{
		a.postForm(t, transcriptions, withKey("")), a.postForm(t, transcriptions), a.postForm(t, debugDecode, withKey("nobody-knows-this-one")),
	} {
		if uuid.Validate(refused.Header.Get("X-Request-Id")) != nil {
			t.Errorf("%d without a request id", refused.Status)
		}
	}
}

// TestUnknownRoutes checks that unknown routes have FastAPI's bodies.
func TestUnknownRoutes(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	if got := a.getPath(t, "/compat/v1/nothing").wantStatus(t, 404); strings.TrimSpace(got.String()) != `{"detail":"Not Found"}` {
		t.Error(got)
	}
	got := a.getPath(t, transcriptions).wantStatus(t, 405)
	if strings.TrimSpace(got.String()) != `{"detail":"Method Not Allowed"}` || !strings.Contains(got.Header.Get("Allow"), "POST") {
		t.Error(got.Header, got)
	}
}

// TestDescription checks that /openapi.json is public, has version 1.0.2, and lists every route with its full path.
func TestDescription(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	var doc struct {
		OpenAPI string                     `json:"openapi"`
		Info    struct{ Version string }   `json:"info"`
		Paths   map[string]json.RawMessage `json:"paths"`
	}
	got := a.getPath(t, "/openapi.json", withKey("")).wantStatus(t, 200)
	got.decodeJSON(t, &doc)
	if !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Info.Version != "1.0.2" ||
		!strings.HasPrefix(got.Header.Get("Content-Type"), "application/json") {
		t.Errorf("OpenAPI %s, version %s, %s", doc.OpenAPI, doc.Info.Version, got.Header.Get("Content-Type"))
	}
	for _, path := range []string{"/health", "/livez", "/readyz", transcriptions, jobs, jobs + "/{id}", debugDecode, "/"} {
		if doc.Paths[path] == nil {
			t.Errorf("%s is not described", path)
		}
	}
	for _, path := range []string{"/docs", "/"} {
		page := a.getPath(t, path, withKey("")).wantStatus(t, 200)
		if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s is %s", path, page.Header.Get("Content-Type"))
		}
	}
}

// TestMetrics checks that loopback clients can read /metrics and others need the token.
func TestMetrics(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--metrics-token", "a-token-for-metrics"}})
	got := a.getPath(t, "/metrics", withKey("")).wantStatus(t, 200)
	for _, name := range []string{"munadi_stt_requests ", "munadi_stt_queue_length ", "munadi_http_requests_total{"} {
		if !strings.Contains(got.String(), name) {
			t.Errorf("no %s", name)
		}
	}
	far := withHeader("X-Forwarded-For", "192.0.2.7")
	a.getPath(t, "/metrics", far, withKey("")).wantStatus(t, 401)
	a.getPath(t, "/metrics", far, withKey("another-token")).wantStatus(t, 401)
	a.getPath(t, "/metrics", far).wantStatus(t, 401) // an API key is not a metrics token
	a.getPath(t, "/metrics", far, withKey("a-token-for-metrics")).wantStatus(t, 200)
	a.postForm(t, transcriptions, withKey("a-token-for-metrics"), withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, 401)
	sharedInstance(t).getPath(t, "/metrics", far, withKey("")).wantStatus(t, 401)
}

// requestsOn returns the number of requests that the engine has admitted.
func (a *testInstance) requestsOn(ctx context.Context) string {
	_, body := a.probePath(ctx, "/metrics")
	for line := range strings.Lines(body) {
		if value, ok := strings.CutPrefix(line, "munadi_stt_requests "); ok {
			return strings.TrimSpace(value)
		}
	}
	return "?"
}
