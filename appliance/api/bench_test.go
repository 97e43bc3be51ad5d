package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/appliance/evidence"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/monitor/health"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/blob"
	"munadi/store/call"
	"munadi/store/scenario"
)

// began is the clock's start: a Saturday.
var began = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// The keys of the tests, as they follow "Bearer ".
const (
	acme   = "acme-acme-acme-acme"
	rival  = "rival-rival-rival-rival"
	sttKey = "stt-stt-stt-stt-stt"
)

// testKeys maps the keys of the tests to principals.
type testKeys struct{}

func (testKeys) VerifyHeader(_ context.Context, value string) (auth.Principal, error) {
	switch value {
	case "Bearer " + acme:
		return auth.Principal{OrgID: "acme", KeyID: "k1", Scopes: account.AllScopes()}, nil
	case "Bearer " + rival:
		return auth.Principal{OrgID: "rival", KeyID: "k2", Scopes: account.AllScopes()}, nil
	case "Bearer " + sttKey:
		return auth.Principal{OrgID: "acme", KeyID: "k3", Scopes: []account.KeyScope{account.ScopeSTT}}, nil
	case "Bearer broken":
		return auth.Principal{}, errors.New("the store is on fire")
	}
	return auth.Principal{}, &auth.KeyRefusal{Reason: auth.ReasonUnknown}
}

// recordingFolder keeps recordings in a folder of the test.
type recordingFolder string

func (f recordingFolder) OpenRecording(_ context.Context, name string) (blob.RecordingFile, error) {
	return os.Open(filepath.Join(string(f), name))
}

func (f recordingFolder) RemoveFile(name string) error {
	return os.Remove(filepath.Join(string(f), name))
}

// apiFixture is the API with the middleware of the listener.
type apiFixture struct {
	*testing.T
	echo   *echo.Echo
	store  *faultyStore
	health *health.HealthState
	files  recordingFolder
	links  *signedurl.SignedLinks
	now    time.Time
	log    *strings.Builder
}

func newAPIFixture(t *testing.T, change ...func(*api.Dependencies)) *apiFixture {
	t.Helper()
	signer, err := signedurl.NewSigner([32]byte{1})
	mustSucceed(t, err)
	b := &apiFixture{
		T: t, echo: echo.New(), store: newMemory(t), health: &health.HealthState{}, files: recordingFolder(t.TempDir()), now: began,
		log: &strings.Builder{},
	}
	b.health.SetReady()
	clock := func() time.Time { return b.now }
	b.links = &signedurl.SignedLinks{Signer: signer, PublicURL: func() string { return "https://calls.example" }, Now: clock}
	deps := api.Dependencies{
		Store: b.store, Auth: testKeys{}, Now: clock, Links: b.links,
		UseCases: &service.UseCases{
			Store: b.store, Recordings: b.files, Now: clock,
			BuiltIn:  func() []scenario.Scenario { return []scenario.Scenario{builtIn()} },
			RunTests: runTests,
			CheckURL: func(_ context.Context, url string) error {
				if strings.Contains(url, "169.254") {
					return errors.New("leads to a link-local address")
				}
				return nil
			},
		},
		Signer:  evidence.NewSigningKey([32]byte{1}),
		Carrier: api.CarrierInfo{Name: "simulator", Simulated: true}, Health: b.health, Note: middleware.AddLogAttribute,
	}
	for _, c := range change {
		c(&deps)
	}
	log := slog.New(slog.NewTextHandler(b.log, nil))
	b.echo.HTTPErrorHandler = middleware.ErrorHandler(middleware.ErrorFace{Root: api.Root, Explain: api.ExplainError})
	b.echo.Use(middleware.RequestID, middleware.CollectDamage, middleware.AccessLog(log, noCredentials{}), middleware.RecoverPanics(log))
	b.echo.GET("/compat/v1/models", func(echo.Context) error { return echo.ErrNotFound })
	b.echo.GET(api.Root+"/panics", func(echo.Context) error { panic("on purpose") })
	b.echo.GET(api.Root+"/loads", func(echo.Context) error {
		return &middleware.HTTPProblem{Status: 503, Detail: "The model is being loaded", RetryAfter: time.Second}
	})
	api.NewService(deps).MountRoutes(b.echo)
	return b
}

type noCredentials struct{}

func (noCredentials) CountRequest(string, string, int, time.Duration) {}

func mustSucceed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// builtIn returns a built-in scenario.
func builtIn() scenario.Scenario {
	return scenario.Scenario{
		ID: "reminder", Name: "Reminder", Language: "ar",
		Variables: []scenario.ScenarioVariable{{Name: "name", Required: true, Role: scenario.NameRole}, {Name: "city", Required: true, Default: "الرياض"}},
		Steps:     []scenario.FlowStep{{ID: "a", Type: scenario.Say, Say: scenario.SpokenLines{{Text: "مرحباً {{name}}"}}}},
		Retry:     &call.RetryPlan{MaxAttempts: 4, DelayMinutes: []int{7}, On: []call.CallStatus{call.NoAnswer}},
	}
}

// withHeader is a request's header.
type withHeader struct{ name, value string }

// withKey is the header with an API key.
func withKey(key string) withHeader { return withHeader{"Authorization", "Bearer " + key} }

// askPath sends a request to a path below /api/v1, with acme's key unless another is given; body is JSON, sent
// unchanged.
func (b *apiFixture) askPath(method, path, body string, heads ...withHeader) apiResponse {
	b.Helper()
	r := httptest.NewRequestWithContext(b.Context(), method, api.Root+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+acme)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range heads {
		if h.value == "Bearer " || h.value == "" {
			r.Header.Del(h.name)
			continue
		}
		r.Header.Set(h.name, h.value)
	}
	return b.sendRequest(r)
}

func (b *apiFixture) sendRequest(r *http.Request) apiResponse {
	b.Helper()
	w := httptest.NewRecorder()
	b.echo.ServeHTTP(w, r)
	a := apiResponse{b.T, w}
	asPublished(b.T, r, w)
	if r.Method != http.MethodHead && strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if id := a.at("meta", "request_id"); id != w.Header().Get("X-Request-Id") || id == "" {
			b.Errorf("%s %s: meta.request_id %v, header %q", r.Method, r.URL, id, w.Header().Get("X-Request-Id"))
		}
	}
	return a
}

// apiResponse is a response.
type apiResponse struct {
	*testing.T
	*httptest.ResponseRecorder
}

// want expects a status.
func (a apiResponse) want(status int) apiResponse {
	a.Helper()
	if a.Code != status {
		a.Fatalf("%d, not %d: %s", a.Code, status, a.Body)
	}
	return a
}

// at follows names, and indexes of lists, into the body; nil where one is missing.
func (a apiResponse) at(path ...any) any {
	a.Helper()
	var v any
	if err := json.Unmarshal(a.Body.Bytes(), &v); err != nil {
		a.Fatalf("%d %q: %v", a.Code, a.Body, err)
	}
	for _, step := range path {
		switch step := step.(type) {
		case string:
			all, _ := v.(map[string]any)
			v = all[step]
		case int:
			all, _ := v.([]any)
			if step >= len(all) {
				return nil
			}
			v = all[step]
		}
	}
	return v
}

func (a apiResponse) text(path ...any) string {
	a.Helper()
	s, _ := a.at(path...).(string)
	return s
}

// failure expects the error envelope of that status and type, and the fields named in it, in order.
func (a apiResponse) failure(status int, kind string, fields ...string) apiResponse {
	a.Helper()
	a.want(status)
	if got := a.text("error", "type"); got != kind {
		a.Errorf("error.type %q, not %q: %s", got, kind, a.Body)
	}
	listed, isList := a.at("error", "field_violations").([]any)
	if !isList || a.text("error", "message") == "" {
		a.Errorf("no field_violations or message: %s", a.Body)
	}
	var got []string
	for _, v := range listed {
		one, _ := v.(map[string]any)
		got = append(got, one["field"].(string))
		if one["message"] == "" || len(one) != 2 {
			a.Errorf("violation %v", one)
		}
	}
	if strings.Join(got, " ") != strings.Join(fields, " ") {
		a.Errorf("violations of %v, not %v: %s", got, fields, a.Body)
	}
	return a
}
