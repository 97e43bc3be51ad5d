package whole_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// TestOneLimitAndOneListOfOrigins checks that a key's rate limit counts the requests to all APIs together, each of
// which refuses with its own error format, and that allowed origins apply to the APIs and to WebSockets.
func TestOneLimitAndOneListOfOrigins(t *testing.T) {
	t.Parallel()
	const app = "https://app.example.com"
	a := startInstance(t, instanceSettings{args: []string{"--rate-limit", "4", "--cors-origins", app}})
	socket := func(key, origin string) int {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		conn, res, err := websocket.Dial(ctx, strings.Replace(a.URL, "http", "ws", 1)+"/compat/v1/realtime", &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {"Bearer " + key}, "Origin": {origin}},
		})
		if res == nil {
			t.Fatal(err)
		}
		if err == nil {
			_ = conn.CloseNow()
		}
		return res.StatusCode
	}
	out, _ := a.keysCommand(t, "create", "--name", "page", "--scope", "stt,settings")
	page := strings.TrimSpace(out)
	if got := socket(page, "https://evil.example"); got != http.StatusForbidden {
		t.Errorf("a socket of a foreign page: %d", got)
	}
	for _, origin := range []string{app, a.URL} {
		if got := socket(page, origin); got != http.StatusSwitchingProtocols {
			t.Errorf("a socket of %s: %d", origin, got)
		}
	}
	got := a.getPath(t, "/api/v1/webhook", withKey(page), withHeader("Origin", app)).wantStatus(t, 200)
	if got.Header.Get("Access-Control-Allow-Origin") != app {
		t.Errorf("the answer's headers: %v", got.Header)
	}
	a.getPath(t, "/compat/v1/models", withKey(page)).wantStatus(t, 200)

	refused := a.getPath(t, "/api/v1/webhook", withKey(page), withHeader("Origin", app)).wantStatus(t, 429)
	if refused.Header.Get("Retry-After") == "" || !strings.Contains(refused.String(), `"rate_limited"`) ||
		refused.Header.Get("Access-Control-Allow-Origin") != app {
		t.Errorf("the call platform refuses with %v %s", refused.Header, refused)
	}
	refused = a.getPath(t, "/compat/v1/models", withKey(page)).wantStatus(t, 429)
	if refused.Header.Get("Retry-After") == "" || !strings.HasPrefix(refused.String(), `{"detail":"`) {
		t.Errorf("the speech service refuses with %v %s", refused.Header, refused)
	}
	if got := socket(page, app); got != http.StatusTooManyRequests {
		t.Errorf("a socket beyond the limit: %d", got)
	}
	a.getPath(t, "/compat/v1/models").wantStatus(t, 200) // the bootstrap key has its own limit

	r := newRequest([]requestPart{
		withKey(""), withHeader("Origin", app), withHeader("Access-Control-Request-Method", "POST"),
		withHeader("Access-Control-Request-Headers", "authorization"),
	}).newHTTPRequest(t, http.MethodOptions, a.URL+"/compat/v1/audio/transcriptions")
	preflight := sendRequest(t, r).wantStatus(t, http.StatusNoContent)
	if preflight.Header.Get("Access-Control-Allow-Headers") != "authorization" {
		t.Errorf("the preflight: %v", preflight.Header)
	}
}
