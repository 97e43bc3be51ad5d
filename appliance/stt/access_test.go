package stt_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/stt"
	"munadi/engine"
	"munadi/store/account"
)

// TestRateLimitOfTheService: every route that takes a key counts, in this face's own error shape.
func TestRateLimitOfTheService(t *testing.T) {
	t.Parallel()
	var keys []string
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.Limit = func(keyID string) time.Duration {
			keys = append(keys, keyID)
			return 1500 * time.Millisecond
		}
	})
	for _, route := range []string{
		"POST /compat/v1/audio/transcriptions", "POST /compat/v1/audio/jobs", "GET /compat/v1/audio/jobs/x",
		"GET /compat/v1/models", "POST /debug/decode", "GET /compat/v1/realtime",
	} {
		method, path, _ := strings.Cut(route, " ")
		r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
		r.Header.Set("Authorization", "Bearer one")
		w := httptest.NewRecorder()
		b.echo.ServeHTTP(w, r)
		if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "2" || !strings.HasPrefix(w.Body.String(), `{"detail":"`) {
			t.Errorf("%s: %d %v %s", route, w.Code, w.Header(), w.Body)
		}
	}
	if len(keys) != 6 || keys[0] != "k1" {
		t.Errorf("counted %q", keys)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/compat/v1/models", nil)
	b.echo.ServeHTTP(httptest.NewRecorder(), r)
	if len(keys) != 6 {
		t.Error("a request without a key counts")
	}
}

// TestForeignPagesOpenNoSocket: a key in a page of an origin that is not allowed opens nothing.
func TestForeignPagesOpenNoSocket(t *testing.T) {
	t.Parallel()
	b := newSTTFixture(t, func(d *stt.Dependencies) {
		d.AllowSocket = func(r *http.Request) bool { return r.Header.Get("Origin") != "https://evil.example" }
	})
	for origin, want := range map[string]int{"https://evil.example": 403, "": 426} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/compat/v1/realtime", nil)
		r.Header.Set("Authorization", "Bearer one")
		r.Header.Set("Origin", origin)
		w := httptest.NewRecorder()
		if b.echo.ServeHTTP(w, r); w.Code != want {
			t.Errorf("origin %q: %d %s", origin, w.Code, w.Body)
		}
	}
}

// revokedKeys is a key that is revoked while its request runs.
type revokedKeys struct{ revoked atomic.Bool }

func (l *revokedKeys) VerifyHeader(context.Context, string) (auth.Principal, error) {
	alive := func(context.Context) (bool, error) { return !l.revoked.Load(), nil }
	return auth.Principal{OrgID: "org1", KeyID: "k1", Scopes: []account.KeyScope{account.ScopeSTT}, Alive: alive}, nil
}

// TestRevokedKeyEndsItsRequest: a decoding that lasts ends (within 5 s: see auth.TestGuardEndsWithTheAccess) with the answer of any other revoked key, a stream
// with that as its last event.
func TestRevokedKeyEndsItsRequest(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, stream := range map[string]bool{"answer": false, "stream": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &revokedKeys{}
			b := newSTTFixture(t, func(d *stt.Dependencies) { d.Auth = l })
			b.hears.transcribe = func(ctx context.Context, _ engine.SampleSource, o engine.TranscribeOptions) (*engine.Result, error) {
				if stream {
					_ = o.OnSegment(engine.Segment{Text: "نعم"})
				}
				l.revoked.Store(true)
				<-ctx.Done()
				return nil, ctx.Err()
			}
			w := b.postForm(t, transcriptions, formFields{"file": "x", "stream": strconv.FormatBool(stream)})
			if !stream && (w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer") {
				t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
			}
			if stream && (!strings.Contains(w.Body.String(), `"type":"error"`) || !strings.Contains(w.Body.String(), "Missing or invalid API key")) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}
