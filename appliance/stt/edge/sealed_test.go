package edge_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/edge"
)

// TestSealed: refusals are sealed like answers, and a face's own headers count before these.
func TestSealed(t *testing.T) {
	t.Parallel()
	e := echo.New()
	e.HTTPErrorHandler = edge.HandleError
	e.Use(edge.Sealed)
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

// TestOneRequestIsOneLine: what a client writes into a path or a header can't begin a line of the log.
func TestOneRequestIsOneLine(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e, _ := server(&log, func(c echo.Context) error {
		edge.Note(c, "agent", c.Request().UserAgent())
		return c.NoContent(http.StatusNoContent)
	})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/thing/1%0Atime=now%20level=ERROR%0D%0Amsg=forged", nil)
	r.Header["User-Agent"] = []string{"curl\nlevel=ERROR\u2028\x1b[31m"}
	e.ServeHTTP(httptest.NewRecorder(), r)
	if lines := strings.Count(log.String(), "\n"); lines != 1 || strings.ContainsAny(log.String(), "\r\u2028\x1b") {
		t.Errorf("%d lines: %q", lines, &log)
	}
}
