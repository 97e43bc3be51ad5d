package cors_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/cors"
)

const app = "https://app.example.com"

func corsPolicy() cors.OriginPolicy {
	return cors.OriginPolicy{
		Allow: func(origin string) bool { return origin == app }, Roots: []string{"/api/v1", "/compat/v1"},
		PublicURL: func() string { return "https://calls.example.com" },
	}
}

// askThrough sends a request through the middleware to a handler that requires a key.
func askThrough(method, path, origin string) *httptest.ResponseRecorder {
	e := echo.New()
	e.Use(corsPolicy().Middleware())
	for _, route := range []string{"/api/v1/calls", "/console/keys", "/api/v1x"} {
		e.GET(route, func(echo.Context) error { return echo.ErrUnauthorized })
	}
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("Access-Control-Request-Method", "GET")
	r.Header.Set("Access-Control-Request-Headers", "authorization,x-stainless-lang")
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

func TestPreflightAndAnswer(t *testing.T) {
	t.Parallel()
	w := askThrough(http.MethodOptions, "/api/v1/calls", app)
	h := w.Header()
	if w.Code != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != app ||
		h.Get("Access-Control-Allow-Headers") != "authorization,x-stainless-lang" ||
		!strings.Contains(h.Get("Access-Control-Allow-Methods"), "PATCH") || h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("the preflight: %d %v", w.Code, h)
	}
	w = askThrough(http.MethodGet, "/api/v1/calls", app) // a refusal can be read too
	if w.Code != http.StatusUnauthorized || w.Header().Get("Access-Control-Allow-Origin") != app ||
		!strings.Contains(w.Header().Get("Access-Control-Expose-Headers"), "Retry-After") || w.Header().Get("Vary") != "Origin" {
		t.Errorf("the answer: %d %v", w.Code, w.Header())
	}
}

func TestOthersGetNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path, origin string
		want                 int
	}{
		{http.MethodGet, "/api/v1/calls", "https://evil.example", 401},
		{http.MethodOptions, "/api/v1/calls", "https://evil.example", 405},
		{http.MethodOptions, "/api/v1/calls", "", 405},
		{http.MethodOptions, "/console/keys", app, 405},
		{http.MethodGet, "/console/keys", app, 401},
		{http.MethodGet, "/api/v1x", app, 401},
	} {
		w := askThrough(c.method, c.path, c.origin)
		// echo answers OPTIONS of a known path itself, with 204 and Allow.
		if w.Code != c.want && (c.want != 405 || w.Code != http.StatusNoContent) || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s from %q: %d %v", c.method, c.path, c.origin, w.Code, w.Header())
		}
	}
}

func TestAllowSocket(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]bool{
		"": true, app: true, "http://munadi.local:8080": true, "https://MUNADI.local:8080": true,
		"https://calls.example.com": true, "https://evil.example": false, "null": false, "http://munadi.local": false,
		"file://": false, "\x00": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/compat/v1/realtime", nil)
		r.Host = "munadi.local:8080"
		if origin != "" {
			r.Header["Origin"] = []string{origin}
		}
		if corsPolicy().AllowSocket(r) != want {
			t.Errorf("%q: %v", origin, !want)
		}
	}
}

// TestAllowLocalPage checks that a name which someone else's DNS server points to the listener is no own page.
func TestAllowLocalPage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		origin, host string
		want         bool
	}{
		{"", "munadi.local:8080", true},
		{app, "munadi.local:8080", true},
		{"https://calls.example.com", "127.0.0.1:8080", true},
		{"http://127.0.0.1:8080", "127.0.0.1:8080", true},
		{"http://[::1]:8080", "[::1]:8080", true},
		{"http://LOCALHOST:8080", "localhost:8080", true},
		{"http://localhost:3000", "localhost:8080", false},
		{"http://rebound.example:8080", "rebound.example:8080", false},
		{"http://127.0.0.1.rebound.example:8080", "127.0.0.1.rebound.example:8080", false},
		{"https://evil.example", "127.0.0.1:8080", false},
		{"null", "127.0.0.1:8080", false},
		{"\x00", "127.0.0.1:8080", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header["Origin"] = []string{c.origin}
		}
		if corsPolicy().AllowLocalPage(r) != c.want {
			t.Errorf("%q at %s: %v", c.origin, c.host, !c.want)
		}
	}
}
