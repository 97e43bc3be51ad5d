package realtime_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/labstack/echo/v4"

	"munadi/appliance/auth"
	"munadi/appliance/stt/realtime"
)

// sentAway takes the error that ends the session, and the socket's close.
func (c *testClient) sentAway(code string) {
	c.Helper()
	if e, _ := c.wantEvent("error")["error"].(map[string]any); e["code"] != code {
		c.Errorf("sent away with %v, want %s", e, code)
	}
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	if _, _, err := c.conn.Read(ctx); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		c.Errorf("the socket ends with %v", err)
	}
}

// TestRevokedAccessEndsTheSession: while the client goes on sending. Within 5 s: see auth.TestGuardEndsWithTheAccess.
func TestRevokedAccessEndsTheSession(t *testing.T) {
	t.Parallel()
	var revoked atomic.Bool
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) {
		d.Admit = func(echo.Context, string) (auth.Principal, error) {
			alive := func(context.Context) (bool, error) { return !revoked.Load(), nil }
			return auth.Principal{OrgID: "org", Alive: alive}, nil
		}
	})
	c := b.dialSession(false)
	c.wantEvent("session.created")
	sending, stop := context.WithCancel(c.Context())
	defer stop()
	go func() {
		for sending.Err() == nil {
			_ = c.conn.Write(sending, websocket.MessageText, []byte(soundDecoder(2400)))
			time.Sleep(20 * time.Millisecond)
		}
	}()
	revoked.Store(true)
	c.sentAway("invalid_api_key")
	for deadline := time.Now().Add(patience); b.door.CountSessions() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the session still counts")
		}
	}
}

// TestLongestAgeOfASession: the client gets the reason, and may connect again.
func TestLongestAgeOfASession(t *testing.T) {
	t.Parallel()
	b := newRealtimeFixture(t, func(d *realtime.Dependencies) { d.Limits.Age = 200 * time.Millisecond })
	c := b.dialSession(true)
	c.wantEvent("transcription_session.created")
	c.sentAway("session_expired")
	b.dialSession(true).wantEvent("transcription_session.created")
}
