package whole_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// servesSpeechAlone checks that an appliance transcribes and has neither call platform nor console.
func (a *testInstance) servesSpeechAlone(t *testing.T) {
	t.Helper()
	a.requestAPI(t, "GET", "/calls", nil).wantFailure(t, http.StatusNotFound, "not_found")
	a.requestAPI(t, "GET", "/health", nil).wantFailure(t, http.StatusNotFound, "not_found")
	for _, path := range []string{"/console", "/console/sign-in", "/console/system"} {
		if status, body := a.probePath(t.Context(), path); status != http.StatusNotFound {
			t.Errorf("%s answers %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/", "/docs", "/openapi.json"} {
		status, body := a.probePath(t.Context(), path)
		if status != http.StatusOK || strings.Contains(body, "/console") || strings.Contains(body, `"/api/v1`) {
			t.Errorf("%s answers %d, or mentions calls and the console", path, status)
		}
	}
	a.postForm(t, transcriptions, withFile(goldenRecording(t, "g00.wav"))).wantStatus(t, http.StatusOK)
	a.awaitJobResult(t, a.enqueueJob(t, withFile(goldenRecording(t, "g00.wav"))))
}

// TestRoleSTT checks that role stt is the STT service alone, on its own database.
func TestRoleSTT(t *testing.T) {
	t.Parallel()
	a := startInstance(t, instanceSettings{args: []string{"--role", "stt", "--carrier", "sip", "--sip-trunk", "sip:127.0.0.1:9"}})
	a.servesSpeechAlone(t)
	if strings.Contains(a.log.String(), "open this link in a browser") {
		t.Error("a link to the console was printed")
	}
	if said := runMunadi(t, nil, "doctor", "--data", a.Data, "--cache", cacheDir()); !strings.Contains(said.stdout, "places no calls") {
		t.Errorf("doctor says of its calls %s", said.stdout)
	}
}

// TestRoleSTTOnASharedStore checks that keys of a shared store are valid, that calls booked elsewhere are dialled
// elsewhere, and that revocations arrive.
func TestRoleSTTOnASharedStore(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	secret := filepath.Join(p.a.Data, "secret.key")
	only := startInstance(t, instanceSettings{noKey: true, args: []string{
		"--store", p.server.URL(""), "--secret-file", secret, "--role", "stt",
	}})
	only.servesSpeechAlone(t)
	p.a.stopGracefully(t)
	id := p.b.bookCall(t, simulatedNumber("01"), "restaurant_order", nil).textAt("id")
	if c := p.b.awaitEnded(t, id); c.textAt("status") == "failed" {
		t.Errorf("the call ended as %v", c)
	}
}
