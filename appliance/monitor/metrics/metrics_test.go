package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/monitor/metrics"
	"munadi/engine"
)

func scrapeMetrics(t *testing.T, m *metrics.Metrics, token, remote string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	e := echo.New()
	m.MountMetrics(e, token)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	r.RemoteAddr, r.Host = remote, "127.0.0.1:8080"
	for i := 0; i+1 < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

func TestWhoMayRead(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, token, remote string
		header              []string
		want                int
	}{
		{"loopback", "", "127.0.0.1:5", nil, 200},
		{"loopback v6", "", "[::1]:5", nil, 200},
		{"localhost", "", "127.0.0.1:5", []string{"Host", "localhost:8080"}, 200},
		{"loopback v6 by address", "", "[::1]:5", []string{"Host", "[::1]:8080"}, 200},
		{"a name that leads here", "", "127.0.0.1:5", []string{"Host", "rebound.example:8080"}, 401},
		{"a name that begins like one of ours", "", "127.0.0.1:5", []string{"Host", "localhost.example"}, 401},
		{"no name", "", "127.0.0.1:5", []string{"Host", ""}, 401},
		{"a name, with the token", "s3cret", "127.0.0.1:5", []string{"Host", "munadi.example", "Authorization", "Bearer s3cret"}, 200},
		{"elsewhere", "", "192.0.2.1:5", nil, 401},
		{"proxied", "", "127.0.0.1:5", []string{"X-Forwarded-For", "192.0.2.1"}, 401},
		{"proxied, the standard way", "", "127.0.0.1:5", []string{"Forwarded", "for=192.0.2.1"}, 401},
		{"proxied, by nginx", "", "127.0.0.1:5", []string{"X-Real-IP", "192.0.2.1"}, 401},
		{"proxied, by a cache", "", "127.0.0.1:5", []string{"Via", "1.1 cache"}, 401},
		{"proxied, with its name", "", "127.0.0.1:5", []string{"X-Forwarded-Host", "example.com"}, 401},
		{"token", "s3cret", "192.0.2.1:5", []string{"Authorization", "Bearer s3cret"}, 200},
		{"wrong token", "s3cret", "192.0.2.1:5", []string{"Authorization", "Bearer s3cre"}, 401},
		{"wrong scheme", "s3cret", "192.0.2.1:5", []string{"Authorization", "Basic s3cret"}, 401},
		{"empty token opens nothing", "", "192.0.2.1:5", []string{"Authorization", "Bearer "}, 401},
		{"no address", "", "", nil, 401},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := scrapeMetrics(t, metrics.NewMetrics(), c.token, c.remote, c.header...)
			if w.Code != c.want {
				t.Errorf("got %d, want %d", w.Code, c.want)
			}
			if (w.Code == 401) != (w.Header().Get("WWW-Authenticate") == "Bearer") {
				t.Errorf("WWW-Authenticate %q on %d", w.Header().Get("WWW-Authenticate"), w.Code)
			}
		})
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	m := metrics.NewMetrics()
	if err := m.AddGauges(metrics.Gauge{
		Name: "stt_queue_length", Help: "Chunks that wait.", Value: func() float64 { return 3 },
	}); err != nil {
		t.Fatal(err)
	}
	m.CountRequest("POST", "/debug/decode", 422, 40*time.Millisecond)
	m.CountRequest("GET", "", 404, time.Millisecond)
	m.CountDecoded(engine.Batch, 2.5, engine.Timings{Encoder: time.Second, Total: 2 * time.Second})
	m.CountDecoded(engine.Upload, 0, engine.Timings{})
	m.CountJob("done")
	body := scrapeMetrics(t, m, "", "127.0.0.1:5").Body.String()
	for _, want := range []string{
		"munadi_stt_queue_length 3",
		`munadi_http_requests_total{method="POST",route="/debug/decode",status="422"} 1`,
		`munadi_http_requests_total{method="GET",route="none",status="404"} 1`,
		`munadi_stt_audio_seconds_total{priority="batch"} 2.5`,
		`munadi_stt_stage_seconds_total{stage="encoder"} 1`,
		`munadi_stt_real_time_factor_bucket{le="1"} 1`,
		`munadi_stt_jobs_total{status="done"} 1`,
		"go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	if err := m.AddGauges(metrics.Gauge{Name: "stt_queue_length", Value: func() float64 { return 0 }}); err == nil {
		t.Error("the same gauge twice is no error")
	}
}

// TestSeriesAreBounded checks that values that a client without a key chooses (method, path) create no new series.
func TestSeriesAreBounded(t *testing.T) {
	t.Parallel()
	m := metrics.NewMetrics()
	m.CountRequest(http.MethodGet, "/health", http.StatusOK, time.Millisecond)
	m.CountRequest("OTHER", "/health", http.StatusMethodNotAllowed, time.Millisecond)
	m.CountRequest("OTHER", "", http.StatusNotFound, time.Millisecond)
	before := strings.Count(scrapeMetrics(t, m, "", "127.0.0.1:5").Body.String(), "\n")
	for i := range 2000 {
		method := "X" + strings.Repeat("A", i) + strconv.Itoa(i)
		m.CountRequest(method, "/health", http.StatusMethodNotAllowed, time.Millisecond)
		m.CountRequest(method, "", http.StatusNotFound, time.Millisecond)
	}
	body := scrapeMetrics(t, m, "", "127.0.0.1:5").Body.String()
	if after := strings.Count(body, "\n"); after != before {
		t.Errorf("2,000 invented methods made %d lines of %d", after, before)
	}
	for _, want := range []string{
		`munadi_http_requests_total{method="other",route="/health",status="405"} 2001`,
		`munadi_http_requests_total{method="other",route="none",status="404"} 2001`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
}
