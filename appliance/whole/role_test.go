package whole_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// servesSpeechAlone checks that an appliance transcribes and has neither call platform nor console.
func (a *instance) servesSpeechAlone(t *testing.T) {
	t.Helper()
	a.ask(t, "GET", "/calls", nil).failure(t, http.StatusNotFound, "not_found")
	a.ask(t, "GET", "/health", nil).failure(t, http.StatusNotFound, "not_found")
	for _, path := range []string{"/console", "/console/sign-in", "/console/system"} {
		if status, body := a.probe(t.Context(), path); status != http.StatusNotFound {
			t.Errorf("%s answers %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/", "/docs", "/openapi.json"} {
		status, body := a.probe(t.Context(), path)
		if status != http.StatusOK || strings.Contains(body, "/console") || strings.Contains(body, `"/api/v1`) {
			t.Errorf("%s answers %d, or tells of calls and the console", path, status)
		}
	}
	a.post(t, transcriptions, file(golden(t, "g00.wav"))).want(t, http.StatusOK)
	a.finish(t, a.enqueue(t, file(golden(t, "g00.wav"))))
}

// TestRoleSTT: role stt is the STT service alone, on a database of its own.
func TestRoleSTT(t *testing.T) {
	t.Parallel()
	a := start(t, settings{args: []string{"--role", "stt", "--carrier", "sip", "--sip-trunk", "sip:127.0.0.1:9"}})
	a.servesSpeechAlone(t)
	if strings.Contains(a.log.String(), "open this link in a browser") {
		t.Error("a link to the console was printed")
	}
}

// TestRoleSTTOnASharedStore: keys of a shared store are valid there, calls booked elsewhere are dialled elsewhere, and
// revocations arrive.
func TestRoleSTTOnASharedStore(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	secret := filepath.Join(p.a.Data, "secret.key")
	only := start(t, settings{noKey: true, args: []string{
		"--store", p.server.URL(""), "--secret-file", secret, "--role", "stt",
	}})
	only.servesSpeechAlone(t)
	p.a.stop(t)
	id := p.b.book(t, simulated("01"), "restaurant_order", nil).text("id")
	if c := p.b.ended(t, id); c.text("status") == "failed" {
		t.Errorf("the call ended as %v", c)
	}
}
