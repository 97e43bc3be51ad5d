package whole_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestEveryAnswerIsSealed checks the security headers of every kind of answer: no MIME sniffing, no foreign script, no
// frame, no referrer, and no caching of what is not public.
func TestEveryAnswerIsSealed(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for path, status := range map[string]int{
		"/": 200, "/docs": 200, "/openapi.json": 200, "/health": 200, "/livez": 200, "/metrics": 200, "/nowhere": 404,
		"/api/v1/health": 200, "/api/v1/calls": 401, "/api/v1/nowhere": 404, "/compat/v1/models": 401,
		"/compat/v1/audio/transcriptions": 405, "/console": 200, "/console/sign-in": 200, "/console/nowhere": 200, // ends on the sign-in page
		"/console/setup/x": 410, "/.git/config": 404, "/assets/": 404,
	} {
		got := a.getPath(t, path, withKey("")).wantStatus(t, status)
		referrer := "no-referrer"
		if strings.HasPrefix(path, "/console") {
			referrer = "same-origin"
		}
		if got.Header.Get("X-Content-Type-Options") != "nosniff" || got.Header.Get("Referrer-Policy") != referrer {
			t.Errorf("%s: %v", path, got.Header)
		}
		policy := got.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src ", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: no %s in %q", path, want, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
			t.Errorf("%s: %q", path, policy)
		}
		if kept := got.Header.Get("Cache-Control"); kept != "no-store" && path != "/" {
			t.Errorf("%s: Cache-Control %q", path, kept)
		}
		if got.Header.Get("Access-Control-Allow-Origin") != "" || got.Header.Get("Server") != "" {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
}

// TestUnsupportedMethodsAreRefused checks that TRACE, which would echo a request's secrets, and other unsupported
// methods are refused.
func TestUnsupportedMethodsAreRefused(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	for _, method := range []string{http.MethodTrace, "DEBUG"} {
		for _, path := range []string{"/", "/health", "/api/v1/calls", "/console/sign-in"} {
			r := newRequest(nil).newHTTPRequest(t, method, a.URL+path)
			got := sendRequest(t, r)
			refused := got.Status == http.StatusMethodNotAllowed || got.Status == http.StatusNotFound || got.Status == http.StatusUnauthorized
			if !refused || strings.Contains(got.String(), bootstrapKey) || strings.Contains(got.String(), "TRACE") {
				t.Errorf("%s %s: %d %.200s", method, path, got.Status, got)
			}
		}
	}
}

// TestInventedMethodsAreOneSeries checks that unknown HTTP methods share one series of /metrics, since clients without
// a key could otherwise create any number.
func TestInventedMethodsAreOneSeries(t *testing.T) {
	t.Parallel()
	a := sharedInstance(t)
	const invented = "INVENTED"
	for i := range 20 {
		for _, path := range []string{"/", "/health", "/nowhere", "/api/v1/calls", "/console/sign-in", "/metrics"} {
			sendRequest(t, newRequest(nil).newHTTPRequest(t, invented+strings.Repeat("X", 50*i), a.URL+path))
		}
	}
	shown := a.getPath(t, "/metrics").wantStatus(t, http.StatusOK).String()
	if strings.Contains(shown, invented) || !strings.Contains(shown, `method="other"`) {
		t.Error("an invented method is a label value of /metrics")
	}
}
