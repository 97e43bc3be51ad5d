package middleware_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/middleware"
)

// TestHeadAsGet checks that HEAD has the headers of GET and no body, that an event stream ends at once, and that routes
// without GET stay refused.
func TestHeadAsGet(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e, counted := newTestServer(&log, func(c echo.Context) error { return c.NoContent(204) })
	e.Use(middleware.HeadAsGet)
	e.GET("/thing/:id/name", func(c echo.Context) error { return c.JSON(http.StatusOK, c.Param("id")) })
	e.GET("/own", func(c echo.Context) error { return c.String(http.StatusOK, "GET") })
	e.HEAD("/own", func(c echo.Context) error { return c.NoContent(http.StatusAccepted) })
	e.Group("/closed", func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if c.Path() != "/closed/door" {
				return c.Redirect(http.StatusSeeOther, "/closed/door")
			}
			return next(c)
		}
	}).GET("/door", func(c echo.Context) error { return c.String(http.StatusOK, "knock") })
	e.GET("/events", func(c echo.Context) error {
		c.Response().WriteHeader(http.StatusOK)
		<-c.Request().Context().Done()
		return nil
	})
	ts := httptest.NewServer(e)
	defer ts.Close()
	for path, want := range map[string]string{"/thing/7/name": "OPTIONS, GET, HEAD", "/own": "OPTIONS, GET, HEAD"} {
		for _, method := range []string{http.MethodOptions, http.MethodDelete} {
			w := httptest.NewRecorder()
			e.ServeHTTP(w, httptest.NewRequest(method, path, nil))
			if got := w.Header().Get("Allow"); got != want {
				t.Errorf("%s %s: Allow %q, want %q", method, path, got, want)
			}
		}
	}
	for path, want := range map[string]int{"/thing/7/name": 200, "/own": 202, "/events": 200, "/closed/door": 200, "/thing/7": 405, "/none": 404} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, ts.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := ts.Client().Do(r)
		if err != nil {
			t.Fatal(path, err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != want || len(body) > 0 {
			t.Errorf("%s: %d with %d bytes, %v; want %d", path, res.StatusCode, len(body), err, want)
		}
		if path == "/thing/7/name" && (res.Header.Get("Content-Length") != "4" || res.Header.Get("Content-Type") != "application/json") {
			t.Errorf("headers %v", res.Header)
		}
		if path == "/own" && counted.last() != "HEAD /own 202" {
			t.Errorf("counted %q", counted.last())
		}
	}
}
