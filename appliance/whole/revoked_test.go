package whole_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// realtimeAs opens a realtime session with a key or a token, as a browser does.
func (a *testInstance) realtimeAs(t *testing.T, credential string) *websocket.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := dialRealtime(ctx, a.URL+"/compat/v1/realtime", &websocket.DialOptions{
		Subprotocols: []string{"realtime", "openai-insecure-api-key." + credential},
	})
	mustSucceed(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	_, message, err := conn.Read(ctx)
	mustSucceed(t, err)
	if !strings.Contains(string(message), "session.created") {
		t.Fatalf("greeted with %s", message)
	}
	return conn
}

// endsSoon expects a socket to end after a revocation, with an error event first.
func endsSoon(t *testing.T, what string, conn *websocket.Conn, revoked time.Time) {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), revoked.Add(patience))
	defer cancel()
	_, message, err := conn.Read(ctx)
	if err != nil || !strings.Contains(string(message), "invalid_api_key") {
		t.Errorf("%s: %s, %v", what, message, err)
		return
	}
	if _, _, err := conn.Read(ctx); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("%s: %v", what, err)
	}
}

// TestRevokedAccessEnds checks that revoked access ends (within 5 s: see auth.TestGuardEndsWithTheAccess): a revoked key's WebSocket, and the event stream and
// microphone of an ended session.
func TestRevokedAccessEnds(t *testing.T) {
	t.Parallel()
	a, o := atConsole(t, instanceSettings{})
	out, _ := a.keysCommand(t, "create", "--name", "short-lived")
	socket := a.realtimeAs(t, strings.TrimSpace(out))
	v := a.openViewer(t, o.cookieHeader(t))
	if v.status != http.StatusOK {
		t.Fatalf("the events answer %d", v.status)
	}
	var live struct{ Token string }
	o.openPage("/console/live")
	mustSucceed(t, json.Unmarshal([]byte(o.submitForm("/console/live/token", http.StatusOK)), &live))
	microphone := a.realtimeAs(t, live.Token)

	for _, k := range a.listKeys(t) {
		if k.Name == "short-lived" {
			a.keysCommand(t, "revoke", k.ID)
		}
	}
	endsSoon(t, "the socket of a revoked key", socket, time.Now())

	elsewhere := a.newOperator(t)
	elsewhere.openPage("/console/sign-in")
	elsewhere.submitForm("/console/sign-in", http.StatusOK, "name", "admin", "password", adminPassword)
	elsewhere.openPage("/console/account/confirm?next=/console/account")
	elsewhere.submitForm("/console/account/confirm", http.StatusOK, "current", adminPassword, "next", "/console/account")
	elsewhere.openPage("/console/account")
	elsewhere.submitForm("/console/account/sessions/end", http.StatusOK)
	ended := time.Now()
	endsSoon(t, "the microphone of an ended session", microphone, ended)
	mustSucceed(t, v.SetReadDeadline(ended.Add(patience)))
	for line := ""; line != "0\r\n"; { // the last chunk
		var err error
		if line, err = v.ReadString('\n'); err != nil {
			t.Fatalf("the events of an ended session: %v", err)
		}
	}
}
