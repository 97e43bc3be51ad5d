package health_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/monitor/health"
)

// TestFaults checks that the first line of a panic is reported, without the stack.
func TestFaults(t *testing.T) {
	t.Parallel()
	var s health.HealthState
	s.ReportWorker("jobs", errors.New("panic: index out of range\ngoroutine 7"))
	if got := s.WorkerFaults()["jobs"]; got != "panic: index out of range" {
		t.Errorf("the fault is told as %q", got)
	}
}

func TestProbes(t *testing.T) {
	t.Parallel()
	const alive = `200 {"status":"alive"}`
	cases := []struct {
		name                  string
		drive                 func(*health.HealthState)
		livez, readyz, health string
	}{
		{"fresh", func(*health.HealthState) {}, alive, `503 {"status":"starting"}`, `503 {"status":"error","message":"the model is being loaded"}`},
		{"ready", func(s *health.HealthState) { s.SetReady() }, alive, `200 {"status":"ready"}`, `200 {"status":"ok","message":"svc-stt is ready"}`},
		{"draining", func(s *health.HealthState) { s.SetReady(); s.SetDraining() }, alive, `503 {"status":"draining"}`, `200 {"status":"ok","message":"svc-stt decodes; the service is shutting down"}`},
		{"never back from draining", func(s *health.HealthState) { s.SetDraining(); s.SetReady() }, alive, `503 {"status":"draining"}`, `200 {"status":"ok","message":"svc-stt decodes; the service is shutting down"}`},
		{"broken", func(s *health.HealthState) { s.SetReady(); s.SetBroken("no model") }, alive, `503 {"status":"starting"}`, `503 {"status":"error","message":"no model"}`},
		{"mended", func(s *health.HealthState) { s.SetReady(); s.SetBroken("x"); s.SetBroken("") }, alive, `200 {"status":"ready"}`, `200 {"status":"ok","message":"svc-stt is ready"}`},
		{"worker failed", func(s *health.HealthState) { s.SetReady(); s.ReportWorker("jobs", errors.New("secret path")) }, alive, `503 {"status":"starting"}`, `200 {"status":"ok","message":"svc-stt decodes; being restarted: jobs"}`},
		{"warned", func(s *health.HealthState) {
			s.SetReady()
			s.SetWarning("z", "check the disk")
			s.SetWarning("a", "x")
			s.SetWarning("a", "")
		}, alive, `200 {"status":"ready"}`, `200 {"status":"ok","message":"svc-stt is ready; check the disk"}`},
		{"disk full", func(s *health.HealthState) { s.SetReady(); s.SetStorage("the disk is full", false) }, alive, `503 {"status":"starting"}`, `200 {"status":"ok","message":"svc-stt is ready; the disk is full"}`},
		{"store away", func(s *health.HealthState) { s.SetReady(); s.SetStorage("no answer", true) }, alive, `503 {"status":"starting"}`, `503 {"status":"error","message":"the store does not answer; no answer"}`},
		{"storage back", func(s *health.HealthState) { s.SetReady(); s.SetStorage("x", true); s.SetStorage("", true) }, alive, `200 {"status":"ready"}`, `200 {"status":"ok","message":"svc-stt is ready"}`},
		{"worker back", func(s *health.HealthState) {
			s.SetReady()
			s.ReportWorker("jobs", errors.New("x"))
			s.ReportWorker("jobs", nil)
		}, alive, `200 {"status":"ready"}`, `200 {"status":"ok","message":"svc-stt is ready"}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var s health.HealthState
			c.drive(&s)
			e := echo.New()
			s.MountProbes(e)
			for path, want := range map[string]string{"/livez": c.livez, "/readyz": c.readyz, "/health": c.health} {
				w := httptest.NewRecorder()
				e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
				if got := strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Body)); got != want {
					t.Errorf("%s: got %s, want %s", path, got, want)
				}
				head := httptest.NewRecorder()
				e.ServeHTTP(head, httptest.NewRequestWithContext(t.Context(), http.MethodHead, path, nil))
				if head.Code != w.Code {
					t.Errorf("HEAD %s: got %d, GET %d", path, head.Code, w.Code)
				}
			}
		})
	}
}
