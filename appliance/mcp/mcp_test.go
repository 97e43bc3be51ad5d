package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/api"
	"munadi/appliance/auth"
	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/signedurl"
	"munadi/appliance/mcp"
	"munadi/appliance/monitor/health"
	"munadi/appliance/service"
	"munadi/store/account"
	"munadi/store/memory"
	"munadi/store/scenario"
)

// began is the clock's start: a Saturday.
var began = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// testKeys maps keys to their principals; a test revokes a key by deleting it.
type testKeys map[string]auth.Principal

func (k testKeys) VerifyHeader(_ context.Context, value string) (auth.Principal, error) {
	if who, known := k[strings.TrimPrefix(value, "Bearer ")]; known {
		return who, nil
	}
	return auth.Principal{}, &auth.KeyRefusal{Reason: auth.ReasonUnknown}
}

func keysOfTests() testKeys {
	key := func(org, id string, scopes ...account.KeyScope) auth.Principal {
		return auth.Principal{OrgID: org, KeyID: id, Scopes: scopes}
	}
	return testKeys{
		"acme":  key("acme", "k1", account.AllScopes()...),
		"rival": key("rival", "k2", account.AllScopes()...),
		"reads": key("acme", "k3", account.ScopeCallsRead),
		"hears": key("acme", "k4", account.ScopeSTT),
		"sets":  key("acme", "k5", account.ScopeSettings),
	}
}

// toolFixture is the door with the call platform's real API over a store in memory.
type toolFixture struct {
	testing.TB
	echo     *echo.Echo
	keys     testKeys
	store    *memory.Store
	exceeded map[string]bool // keys over their rate limit
	counted  map[string]int  // requests that the rate limit counted
	log      *bytes.Buffer
}

type noMetrics struct{}

func (noMetrics) CountRequest(string, string, int, time.Duration) {}

func mustSucceed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newToolFixture(t testing.TB, change ...func(*mcp.Dependencies)) *toolFixture {
	t.Helper()
	f := &toolFixture{
		TB: t, echo: echo.New(), keys: keysOfTests(), store: memory.OpenStore(), exceeded: map[string]bool{},
		counted: map[string]int{}, log: &bytes.Buffer{},
	}
	t.Cleanup(func() { mustSucceed(t, f.store.Close()) })
	for _, id := range []string{"acme", "rival"} {
		mustSucceed(t, f.store.CreateOrganization(t.Context(), account.Organization{ID: id, Name: id, CreatedAt: began}, "test"))
	}
	limit := func(keyID string) time.Duration {
		f.counted[keyID]++
		if f.exceeded[keyID] {
			return 7 * time.Second
		}
		return 0
	}
	deps := mcp.Dependencies{
		API: f.openAPI(limit), Explain: api.ExplainError, Auth: f.keys, Limit: limit, Calls: true, MaxBody: 1 << 20,
		AllowOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") != "https://evil.example" },
		Version:     "test", Log: slog.New(slog.NewTextHandler(f.log, nil)),
	}
	for _, c := range change {
		c(&deps)
	}
	door, err := mcp.NewService(deps)
	mustSucceed(t, err)
	f.echo.HTTPErrorHandler = middleware.ErrorHandler(middleware.ErrorFace{Root: mcp.Root, Explain: api.ExplainError})
	f.echo.Use(middleware.RequestID)
	door.MountRoutes(f.echo)
	return f
}

// openAPI returns the handlers of the call platform, with a job route that fails as that of speech to text does.
func (f *toolFixture) openAPI(limit func(string) time.Duration) *echo.Echo {
	f.Helper()
	signer, err := signedurl.NewSigner([32]byte{1})
	mustSucceed(f, err)
	clock := func() time.Time { return began }
	state := &health.HealthState{}
	state.SetReady()
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler(middleware.ErrorFace{Explain: api.ExplainError})
	e.Use(middleware.RequestID, middleware.CollectDamage, middleware.AccessLog(slog.New(slog.NewTextHandler(f.log, nil)), noMetrics{}))
	api.NewService(api.Dependencies{
		Store: f.store, Auth: f.keys, Now: clock, Health: state, Limit: limit,
		Links: &signedurl.SignedLinks{Signer: signer, PublicURL: func() string { return "https://calls.example" }, Now: clock},
		UseCases: &service.UseCases{Store: f.store, Now: clock, BuiltIn: func() []scenario.Scenario {
			return []scenario.Scenario{{
				ID: "reminder", Name: "Reminder", Language: "ar",
				Steps: []scenario.FlowStep{{ID: "a", Type: scenario.Say, Say: scenario.SpokenLines{{Text: "مرحباً"}}}},
			}}
		}},
	}).MountRoutes(e)
	e.GET("/compat/v1/audio/jobs/:id", func(c echo.Context) error {
		switch c.Param("id") {
		case "broken":
			panic("on purpose")
		case "lacks":
			return &middleware.HTTPProblem{Status: http.StatusForbidden, Detail: "This API key lacks the scope stt"}
		}
		return &middleware.HTTPProblem{Status: http.StatusNotFound, Detail: "Not Found"}
	})
	return e
}

// post sends a message.
func (f *toolFixture) post(key, message string, header ...string) *httptest.ResponseRecorder {
	f.Helper()
	r := httptest.NewRequestWithContext(f.Context(), http.MethodPost, mcp.Root, strings.NewReader(message))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	f.echo.ServeHTTP(w, r)
	return w
}

// toolOutcome is the result of a tool.
type toolOutcome struct {
	Content           []struct{ Type, Text string }
	StructuredContent map[string]any
	IsError           bool
}

// call calls a tool; arguments are JSON.
func (f *toolFixture) call(key, tool, arguments string, header ...string) toolOutcome {
	f.Helper()
	w := f.post(key, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments), header...)
	var got struct{ Result *toolOutcome }
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK || got.Result == nil || len(got.Result.Content) != 1 {
		f.Fatalf("%s %s: %d %s", tool, arguments, w.Code, w.Body)
	}
	return *got.Result
}

// refusal expects a tool error of a type, and returns the names of its violations.
func (f *toolFixture) refusal(got toolOutcome, kind string) []string {
	f.Helper()
	var body struct {
		Error struct {
			Type, Message string
			Violations    []struct{ Field string } `json:"field_violations"`
		}
		Meta struct {
			RequestID string `json:"request_id"`
		}
	}
	text := got.Content[0].Text
	if err := json.Unmarshal([]byte(text), &body); err != nil || !got.IsError || body.Error.Type != kind ||
		body.Error.Message == "" || body.Error.Violations == nil || body.Meta.RequestID == "" {
		f.Fatalf("%v %s, want %s", got.IsError, text, kind)
	}
	var fields []string
	for _, v := range body.Error.Violations {
		fields = append(fields, v.Field)
	}
	return fields
}

// listTools returns the names of a key's tools, and their input schemas.
func (f *toolFixture) listTools(key string) (names []string, schemas map[string]map[string]any) {
	f.Helper()
	w := f.post(key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var got struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema map[string]any
			}
		}
	}
	mustSucceed(f, json.Unmarshal(w.Body.Bytes(), &got))
	schemas = map[string]map[string]any{}
	for _, tool := range got.Result.Tools {
		names = append(names, tool.Name)
		schemas[tool.Name] = tool.InputSchema
	}
	return names, schemas
}

// TestListedTools checks which tools a key's scopes list.
func TestListedTools(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	all := []string{
		"book_call", "get_call", "list_calls", "reschedule_call", "cancel_call", "create_campaign", "get_campaign",
		"pause_campaign", "resume_campaign", "suppress_number", "get_transcription_job",
	}
	for key, want := range map[string][]string{
		"acme": all, "reads": {"get_call", "list_calls", "get_campaign"}, "hears": {"get_transcription_job"}, "sets": nil,
	} {
		if got, _ := f.listTools(key); !slices.Equal(got, want) {
			t.Errorf("%s sees %v, want %v", key, got, want)
		}
	}
	speech := newToolFixture(t, func(d *mcp.Dependencies) { d.Calls = false })
	if got, _ := speech.listTools("acme"); !slices.Equal(got, []string{"get_transcription_job"}) {
		t.Errorf("without calls: %v", got)
	}
}

// TestInputSchemas checks that schemas have the API's fields, and the ids of paths by their own names.
func TestInputSchemas(t *testing.T) {
	t.Parallel()
	_, schemas := newToolFixture(t).listTools("acme")
	for tool, want := range map[string]string{
		"book_call":             "metadata phone_number* retry scenario_id* scheduled_at variables",
		"get_call":              "call_id*",
		"reschedule_call":       "call_id* scheduled_at*",
		"cancel_call":           "call_id*",
		"pause_campaign":        "campaign_id*",
		"suppress_number":       "created_at phone_number* reason source until",
		"get_transcription_job": "job_id*",
		"list_calls": "campaign_id created_from created_to cursor direction due_from due_to ended_by limit name needs_person number_contains " +
			"order people phone_number said scenario_id sort status trial",
	} {
		properties, _ := schemas[tool]["properties"].(map[string]any)
		required, _ := schemas[tool]["required"].([]any)
		var got []string
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if slices.Contains(required, any(name)) {
				name += "*"
			}
			got = append(got, name)
		}
		if said := strings.Join(got, " "); said != want || schemas[tool]["type"] != "object" {
			t.Errorf("%s takes %s, want %s", tool, said, want)
		}
	}
	if text, _ := json.Marshal(schemas); strings.Contains(string(text), "$ref") {
		t.Error("a schema refers to the API document")
	}
}

// TestTools books, reads, moves and cancels a call, and pauses and resumes a campaign.
func TestTools(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	booked := f.call("acme", "book_call", `{"phone_number":"+966500000001","scenario_id":"reminder","scheduled_at":"2026-11-22T09:00:00Z"}`)
	data, _ := booked.StructuredContent["data"].(map[string]any)
	id, _ := data["id"].(string)
	if booked.IsError || !strings.HasPrefix(id, "call_") {
		t.Fatalf("%+v", booked)
	}
	own := fmt.Sprintf(`{"call_id":%q}`, id)
	if got := f.call("reads", "get_call", own); !strings.Contains(got.Content[0].Text, id) {
		t.Errorf("%+v", got)
	}
	f.refusal(f.call("rival", "get_call", own), "not_found")
	f.refusal(f.call("rival", "cancel_call", own), "not_found")
	moved := f.call("acme", "reschedule_call", fmt.Sprintf(`{"call_id":%q,"scheduled_at":"2026-11-23T09:00:00Z"}`, id))
	if !strings.Contains(moved.Content[0].Text, `"booking_outcome":"rescheduled"`) {
		t.Errorf("%+v", moved)
	}
	if got := f.call("acme", "list_calls", `{"limit":1,"status":"scheduled","phone_number":"+966500000001"}`); !strings.Contains(got.Content[0].Text, id) {
		t.Errorf("%+v", got)
	}
	f.call("acme", "cancel_call", own)
	f.refusal(f.call("acme", "cancel_call", own), "call_already_released")
	made := f.call("acme", "create_campaign", `{"name":"c","scenario_id":"reminder","calls":[{"phone_number":"+966500000002"}],"paused":true}`)
	data, _ = made.StructuredContent["data"].(map[string]any)
	campaign := fmt.Sprintf(`{"campaign_id":%q}`, data["id"])
	for tool, want := range map[string]string{"get_campaign": "paused", "resume_campaign": "running"} {
		if got := f.call("acme", tool, campaign); got.IsError {
			t.Errorf("%s (%s): %+v", tool, want, got)
		}
	}
	if got := f.call("acme", "suppress_number", `{"phone_number":"+966500000003"}`); got.IsError {
		t.Errorf("%+v", got)
	}
	f.refusal(f.call("acme", "get_transcription_job", `{"job_id":"none"}`), "not_found")
	f.refusal(f.call("acme", "get_transcription_job", `{"job_id":"lacks"}`), "permission_error")
	f.refusal(f.call("reads", "suppress_number", `{"phone_number":"+966500000004"}`), "permission_error")
	trail, err := f.store.AuditTrail(t.Context(), "acme", 200, "")
	mustSucceed(t, err)
	var changes []string
	for _, entry := range slices.Backward(trail.Items) {
		if entry.Actor == "key:k1" {
			changes = append(changes, entry.Action)
		} else if entry.Actor != "test" {
			t.Errorf("a change by %s: %+v", entry.Actor, entry)
		}
	}
	want := []string{"call.create", "call.reschedule", "call.cancel", "campaign.create", "campaign.resume", "suppression.put"}
	if !slices.Equal(changes, want) {
		t.Errorf("the audit log has %v", changes)
	}
}

// TestFaultsOfArguments checks that faults are tool errors that name every field.
func TestFaultsOfArguments(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	for _, c := range []struct{ tool, arguments, kind, fields string }{
		{"book_call", `{}`, "validation_error", "phone_number scenario_id"},
		{"book_call", `{"phone_number":5,"scenario_id":"reminder","more":1}`, "validation_error", "more phone_number"},
		{"book_call", `[]`, "malformed_request", ""},
		{"create_campaign", `"x"`, "malformed_request", ""},
		{"get_call", `{}`, "validation_error", "call_id"},
		{"get_call", `{"call_id":5,"more":1}`, "validation_error", "call_id more"},
		{"get_call", `{"call_id":""}`, "validation_error", "call_id"},
		{"get_call", `{"call_id":".."}`, "validation_error", "call_id"},
		{"get_call", `{"call_id":"../calls"}`, "not_found", ""},
		{"get_call", `{"call_id":"x?limit=1"}`, "not_found", ""},
		{"get_call", `[]`, "malformed_request", ""},
		{"cancel_call", `{"call_id":"x","scheduled_at":"y"}`, "validation_error", "scheduled_at"},
		{"reschedule_call", `{"call_id":"call_x"}`, "not_found", ""},
		{"list_calls", `{"limit":0,"status":"x"}`, "validation_error", "limit status"},
		{"list_calls", `{"limit":{},"needs_person":[true],"more":1}`, "validation_error", "limit more needs_person"},
		{"suppress_number", `[{"phone_number":"+966500000003"}]`, "malformed_request", ""},
		{"book_call", `null`, "validation_error", "phone_number scenario_id"},
		{"suppress_number", `{"phone_number":"x"}`, "validation_error", "phone_number"},
	} {
		fields := f.refusal(f.call("acme", c.tool, c.arguments), c.kind)
		slices.Sort(fields)
		if got := strings.Join(fields, " "); got != c.fields {
			t.Errorf("%s %s: %q, want %q", c.tool, c.arguments, got, c.fields)
		}
	}
	for _, tool := range []string{"book_call", "pause_campaign", "suppress_number"} {
		f.refusal(f.call("reads", tool, `{"campaign_id":"x"}`), "permission_error")
	}
}

// TestIdempotencyKey checks that a repeat books nothing, by _meta and by the header.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	const body = `{"phone_number":"+966500000001","scenario_id":"reminder","scheduled_at":"2026-11-22T09:00:00Z"}`
	idOf := func(o toolOutcome) any { data, _ := o.StructuredContent["data"].(map[string]any); return data["id"] }
	first := f.call("acme", "book_call", body, "Idempotency-Key", "once")
	if second := f.call("acme", "book_call", body, "Idempotency-Key", "once"); first.IsError || idOf(second) != idOf(first) {
		t.Errorf("%+v, then %+v", first, second)
	}
	w := f.post("acme", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book_call","_meta":{"Idempotency-Key":"once"},"arguments":`+body+`}}`)
	if id, _ := idOf(first).(string); !strings.Contains(w.Body.String(), id) {
		t.Errorf("by _meta: %s", w.Body)
	}
	other := strings.Replace(body, "0001", "0002", 1)
	f.refusal(f.call("acme", "book_call", other, "Idempotency-Key", "once"), "idempotency_conflict")
}

// TestRateLimit checks that every message counts once: calls where the API counts them, others at the door.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	f.call("acme", "list_calls", `{}`)
	f.post("acme", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_tool"}}`)
	f.listTools("acme")
	if f.counted["k1"] != 3 {
		t.Errorf("3 messages count %d times", f.counted["k1"])
	}
	f.exceeded["k1"] = true
	f.refusal(f.call("acme", "list_calls", `{}`), "rate_limited")
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `no JSON`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","Method":"tools/call"}`,
	} {
		if w := f.post("acme", message); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "7" {
			t.Errorf("%s: %d %v %s", message, w.Code, w.Header(), w.Body)
		}
	}
	w := f.post("acme", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"no_tool"}}`)
	if !strings.Contains(w.Body.String(), "too many requests") {
		t.Errorf("an unknown tool: %d %s", w.Code, w.Body)
	}
}

// TestRefusedRequests checks what is refused before the protocol: origin, key, size, batches.
func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	huge := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"` + strings.Repeat("x", 2<<20) + `"}}`
	for _, c := range []struct {
		key, message string
		header       []string
		status       int
		kind         string
	}{
		{"", list, nil, 401, "authentication_error"},
		{"nobody", list, nil, 401, "authentication_error"},
		{"acme", list, []string{"Origin", "https://evil.example"}, 403, "permission_error"},
		{"acme", "[" + list + "]", nil, 400, "malformed_request"},
		{"acme", huge, nil, 413, "payload_too_large"},
		{"acme", list, []string{"Content-Encoding", "gzip"}, 415, "unsupported_media_type"},
	} {
		w := f.post(c.key, c.message, c.header...)
		if w.Code != c.status || !strings.Contains(w.Body.String(), `{"error":{"type":"`+c.kind+`"`) {
			t.Errorf("%q %.40s: %d %s", c.key, c.message, w.Code, w.Body)
		}
	}
	if w := f.post("", list); w.Header().Get("WWW-Authenticate") != "Bearer" {
		t.Error("no challenge")
	}
	delete(f.keys, "acme") // revoked
	if w := f.post("acme", list); w.Code != http.StatusUnauthorized {
		t.Errorf("after its revocation: %d %s", w.Code, w.Body)
	}
}

// TestProtocolFaults checks that what the protocol refuses is a JSON-RPC error with the id of its request, as the
// specifications of JSON-RPC 2.0 and of the protocol say.
func TestProtocolFaults(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	for _, c := range []struct {
		message string
		header  []string
		status  int
		code    int // 0: no error
		id      any
	}{
		{`{"jsonrpc":"2.0","id":7,"method":"no/method"}`, nil, 200, -32601, 7.0},
		{`{"jsonrpc":"2.0","id":"a","method":"no/method"}`, []string{"Mcp-Protocol-Version", "2025-06-18"}, 200, -32601, "a"},
		{`{"jsonrpc":"2.0","method":"notifications/none"}`, nil, 202, 0, nil},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, 0, nil},
		{`{"jsonrpc":"2.0","id":7,"result":{}}`, nil, 202, 0, nil},
		{``, nil, 400, -32700, nil},
		{`no JSON`, nil, 400, -32700, nil},
		{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, nil, 400, -32600, nil},
		{`{"jsonrpc":"2.0","method":"tools/call","params":[]}`, nil, 400, -32600, nil},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, nil, 400, -32600, 7.0},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"no_tool"}}`, nil, 200, -32602, 7.0},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, nil, 200, 0, nil},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"Mcp-Protocol-Version", "1999-01-01"}, 400, -32600, 7.0},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"Content-Type", "text/plain"}, 415, -32600, 7.0},
		{`{"jsonrpc":"2.0","id":7,"method":"ping"}`, []string{"Accept", "text/html"}, 400, -32600, 7.0},
	} {
		w := f.post("acme", c.message, c.header...)
		var got struct {
			ID    any
			Error struct {
				Code    int
				Message string
			}
		}
		if w.Body.Len() > 0 {
			mustSucceed(t, json.Unmarshal(w.Body.Bytes(), &got))
		}
		if w.Code != c.status || got.Error.Code != c.code || c.code != 0 && (got.ID != c.id || got.Error.Message == "") {
			t.Errorf("%s %v: %d %s", c.message, c.header, w.Code, w.Body)
		}
	}
	for _, method := range []string{"GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW"} {
		r := httptest.NewRequestWithContext(t.Context(), method, mcp.Root, nil)
		r.Header.Set("Authorization", "Bearer acme")
		w := httptest.NewRecorder()
		f.echo.ServeHTTP(w, r)
		if w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Header().Get("Allow"), "POST") {
			t.Errorf("%s: %d, Allow: %s", method, w.Code, w.Header().Get("Allow"))
		}
	}
}

// TestPanic checks that a panic in a handler is a tool error, and does not end the process.
func TestPanic(t *testing.T) {
	t.Parallel()
	f := newToolFixture(t)
	f.refusal(f.call("acme", "get_transcription_job", `{"job_id":"broken"}`), "internal_error")
	if !strings.Contains(f.log.String(), "on purpose") {
		t.Errorf("the log lacks the panic: %s", f.log)
	}
}

// FuzzArguments checks that no arguments of a tool with an id reach another operation than the tool's own.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{}`, `{"call_id":"x"}`, `{"call_id":"../calls"}`, `{"call_id":"a/b"}`, `{"call_id":"%2e%2e"}`, `{"call_id":null,"a":[1]}`} {
		f.Add(seed)
	}
	route := ""
	operations := echo.New()
	operations.Any("/*", func(c echo.Context) error { route = "another"; return c.NoContent(http.StatusOK) })
	operations.POST("/api/v1/calls/:call_id/cancel", func(c echo.Context) error { route = "own"; return c.NoContent(http.StatusOK) })
	door := newToolFixture(f, func(d *mcp.Dependencies) { d.API = operations })
	f.Fuzz(func(t *testing.T, arguments string) {
		message, err := json.Marshal(map[string]any{
			"jsonrpc": "2.0", "id": 1, "method": "tools/call",
			"params": map[string]any{"name": "cancel_call", "arguments": json.RawMessage(arguments)},
		})
		if err != nil {
			return // no JSON
		}
		door.TB = t
		if w := door.post("acme", string(message)); route == "another" {
			t.Errorf("%q reached another operation: %s", arguments, w.Body)
		}
	})
}
