package middleware_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
	"munadi/appliance/httpserver/multipartform"
)

// requestCounter records the last counted request.
type requestCounter struct{ counted atomic.Value }

func (c *requestCounter) CountRequest(method, route string, status int, _ time.Duration) {
	c.counted.Store(fmt.Sprint(method, " ", route, " ", status))
}

func (c *requestCounter) last() string {
	text, _ := c.counted.Load().(string)
	return text
}

func newTestServer(log io.Writer, h echo.HandlerFunc) (*echo.Echo, *requestCounter) {
	e, n := echo.New(), &requestCounter{}
	e.HTTPErrorHandler = middleware.ErrorHandler()
	logger := slog.New(slog.NewTextHandler(log, nil))
	e.Use(middleware.RequestID, middleware.AccessLog(logger, n), middleware.RecoverPanics(logger))
	e.POST("/thing/:id", h)
	return e, n
}

func TestFailures(t *testing.T) {
	t.Parallel()
	secret := errors.New("dsn with a password")
	cases := []struct {
		name, method, path string
		err                error
		want, header       string
	}{
		{"unknown route", "POST", "/nope", nil, `404 {"detail":"Not Found"}`, ""},
		{"wrong method", "GET", "/thing/1", nil, `405 {"detail":"Method Not Allowed"}`, "Allow: OPTIONS, POST"},
		{"internal", "POST", "/thing/1", secret, `500 {"detail":"Internal Server Error"}`, ""},
		{"busy", "POST", "/thing/1", &middleware.HTTPProblem{Status: 429, Detail: "later", RetryAfter: 1500 * time.Millisecond}, `429 {"detail":"later"}`, "Retry-After: 2"},
		{"stopping", "POST", "/thing/1", &middleware.HTTPProblem{Status: 503, Detail: "stopping"}, `503 {"detail":"stopping"}`, ""},
		{"who", "POST", "/thing/1", &middleware.HTTPProblem{Status: 401, Detail: "key", Challenge: "Bearer", Err: secret}, `401 {"detail":"key"}`, "Www-Authenticate: Bearer"},
		{"invalid", "POST", "/thing/1", fmt.Errorf("form: %w", multipartform.ValidationError{{Type: "t", Loc: []any{"body", 1}, Msg: "m"}}), `422 {"detail":[{"type":"t","loc":["body",1],"msg":"m","input":null}]}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			e, n := newTestServer(&log, func(echo.Context) error { return c.err })
			w := httptest.NewRecorder()
			e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), c.method, c.path+"?token=hush", nil))
			if got := strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Body)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if k, v, _ := strings.Cut(c.header, ": "); k != "" && w.Header().Get(k) != v {
				t.Errorf("%s is %q", k, w.Header().Get(k))
			}
			if !strings.HasSuffix(n.last(), c.want[:3]) || strings.Contains(log.String(), "hush") {
				t.Errorf("counted %q, logged %s", n.last(), &log)
			}
			if strings.Contains(log.String(), secret.Error()) != strings.HasPrefix(c.want, "500") {
				t.Errorf("the cause belongs into the log of a 500 only: %s", &log)
			}
			if strings.Contains(log.String(), "level=ERROR") != strings.HasPrefix(c.want, "500") {
				t.Errorf("only a fault is an error in the log: %s", &log)
			}
		})
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	own := uuid.NewString()
	for _, c := range []struct {
		sent string
		kept bool
	}{{own, true}, {strings.ToUpper(own), true}, {"", false}, {"42", false}, {"{" + own + "}", false}, {"urn:uuid:" + own, false}} {
		var log bytes.Buffer
		e, _ := newTestServer(&log, func(c echo.Context) error { middleware.AddLogAttribute(c, "org", "o1"); return c.NoContent(204) })
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/thing/1", nil)
		r.Header.Set("X-Request-Id", c.sent)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		got := w.Header().Get("X-Request-Id")
		if uuid.Validate(got) != nil || (got == c.sent) != c.kept {
			t.Errorf("sent %q, got %q", c.sent, got)
		}
		if !strings.Contains(log.String(), got) || !strings.Contains(log.String(), "org=o1") {
			t.Errorf("the log lacks id or note: %s", &log)
		}
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e, n := newTestServer(&log, func(echo.Context) error { panic("kaboom") })
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/thing/1", nil))
	if w.Code != 500 || strings.TrimSpace(w.Body.String()) != `{"detail":"Internal Server Error"}` || n.last() != "POST /thing/:id 500" {
		t.Errorf("%d %s, counted %s", w.Code, w.Body, n.last())
	}
	if !strings.Contains(log.String(), "kaboom") || !strings.Contains(log.String(), "edge_test.go") {
		t.Errorf("the log lacks panic or stack: %s", &log)
	}
}

// TestPanicMidway checks that a client can detect that a response is incomplete.
func TestPanicMidway(t *testing.T) {
	t.Parallel()
	e, _ := newTestServer(io.Discard, func(c echo.Context) error {
		_ = c.String(200, strings.Repeat("half", 10_000))
		panic("kaboom")
	})
	ts := httptest.NewUnstartedServer(e)
	ts.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	ts.Start()
	defer ts.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, ts.URL+"/thing/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := ts.Client().Do(r)
	if err != nil {
		return // cut before the headers were read: as good
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the broken answer looks whole")
	}
}

func TestClientGone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	e, n := newTestServer(io.Discard, func(echo.Context) error { cancel(); return ctx.Err() })
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodPost, "/thing/1", nil))
	if w.Body.Len() > 0 || n.last() != "POST /thing/:id 499" {
		t.Errorf("wrote %q, counted %s", w.Body, n.last())
	}
}

// TestRefusedUploadSeesItsAnswer checks that a client that writes 8 MiB before it reads gets the 413, not a connection
// reset.
func TestRefusedUploadSeesItsAnswer(t *testing.T) {
	t.Parallel()
	e, _ := newTestServer(io.Discard, func(echo.Context) error { return &middleware.HTTPProblem{Status: 413, Detail: "too large"} })
	ts := httptest.NewServer(e)
	defer ts.Close()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", ts.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	const size = 8 << 20
	fmt.Fprintf(conn, "POST /thing/1 HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
	if n, err := conn.Write(make([]byte, size)); err != nil {
		t.Fatalf("after %d bytes: %v", n, err)
	}
	answer := make([]byte, 12)
	if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "HTTP/1.1 413" {
		t.Errorf("%q, %v", answer, err)
	}
}

// TestRefusedUploadNeedNotEnd checks that the response is complete while the client could still send.
func TestRefusedUploadNeedNotEnd(t *testing.T) {
	t.Parallel()
	e, _ := newTestServer(io.Discard, func(echo.Context) error { return &middleware.HTTPProblem{Status: 413, Detail: "too large"} })
	ts := httptest.NewServer(e)
	defer ts.Close()
	for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", ts.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(4 * time.Second)) // less than lingerTime, for which the rest is awaited
		fmt.Fprintf(conn, "POST /thing/1 HTTP/1.1\r\nHost: x\r\n%sContent-Length: 99999999\r\n\r\n", expect)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%q: %v", expect, err)
		}
		if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 413 || string(body) != `{"detail":"too large"}` {
			t.Errorf("%q: %d %q, %v", expect, res.StatusCode, body, err)
		}
		if expect != "" && !res.Close {
			t.Error("a connection whose client may send or not is to be closed")
		}
	}
}
