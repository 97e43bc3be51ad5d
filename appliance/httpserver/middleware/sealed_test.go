package middleware_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
)

// TestSealed checks that refusals have the security headers too, and that a handler's own headers take precedence.
func TestSealed(t *testing.T) {
	t.Parallel()
	e := echo.New()
	e.HTTPErrorHandler = middleware.ErrorHandler()
	e.Use(middleware.SetSecurityHeaders)
	e.GET("/page", func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "public")
		return c.NoContent(http.StatusNoContent)
	})
	for path, kept := range map[string]string{"/page": "public", "/nowhere": "no-store"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		h := w.Header()
		if h.Get("Cache-Control") != kept {
			t.Errorf("%s: %v", path, h)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

// TestNoLogInjection checks that text in a path or a header can't begin a new log line (log injection).
func TestNoLogInjection(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e, _ := newTestServer(&log, func(c echo.Context) error {
		middleware.AddLogAttribute(c, "agent", c.Request().UserAgent())
		return c.NoContent(http.StatusNoContent)
	})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/thing/1%0Atime=now%20level=ERROR%0D%0Amsg=forged", nil)
	r.Header["User-Agent"] = []string{"curl\nlevel=ERROR\u2028\x1b[31m"}
	e.ServeHTTP(httptest.NewRecorder(), r)
	if lines := strings.Count(log.String(), "\n"); lines != 1 || strings.ContainsAny(log.String(), "\r\u2028\x1b") {
		t.Errorf("%d lines: %q", lines, &log)
	}
}

// TestLogLineIsBounded checks that a client without a key, which can choose method and path, cannot fill the log with
// them.
func TestLogLineIsBounded(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e, _ := newTestServer(&log, func(echo.Context) error { return nil })
	e.GET("/noted", func(c echo.Context) error {
		middleware.AddLogAttribute(c, "upgrade", errors.New(strings.Repeat("ا", 30_000)))
		middleware.AddLogAttribute(c, "agent", strings.Repeat("x", 60_000))
		return c.NoContent(http.StatusNoContent)
	})
	long := strings.Repeat("A", 60_000)
	for _, r := range []*http.Request{
		httptest.NewRequestWithContext(t.Context(), long, "/thing/1", nil),
		httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/thing/"+long, nil),
		httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/"+strings.Repeat("%D8%A7", 10_000), nil),
		httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/noted", nil),
	} {
		log.Reset()
		e.ServeHTTP(httptest.NewRecorder(), r)
		if log.Len() == 0 || log.Len() > 2500 || !utf8.Valid(log.Bytes()) {
			t.Errorf("%.20s %.20s: a line of %d bytes", r.Method, r.URL.Path, log.Len())
		}
	}
}
