package edge_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/stt/edge"
)

// TestSealed: refusals are sealed like answers, a face's own headers count before these, and only an encrypted
// connection binds the browser to encryption.
func TestSealed(t *testing.T) {
	t.Parallel()
	e := echo.New()
	e.HTTPErrorHandler = edge.HandleError
	e.Use(edge.Sealed)
	e.GET("/page", func(c echo.Context) error {
		c.Response().Header().Set("Cache-Control", "public")
		return c.NoContent(http.StatusNoContent)
	})
	for _, c := range []struct {
		path, kept, strict string
		encrypted          *tls.ConnectionState
	}{
		{"/page", "public", "", nil},
		{"/nowhere", "no-store", "", nil},
		{"/nowhere", "no-store", "max-age=31536000", &tls.ConnectionState{}},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.path, nil)
		r.TLS = c.encrypted
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		h := w.Header()
		if h.Get("Cache-Control") != c.kept || h.Get("Strict-Transport-Security") != c.strict {
			t.Errorf("%s: %v", c.path, h)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %v", c.path, h)
		}
	}
}
