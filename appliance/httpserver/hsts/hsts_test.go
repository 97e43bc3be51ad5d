package hsts_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/hsts"
)

// The header is set behind a TLS proxy on port 443, and neither over plain HTTP, nor for another port or localhost, nor
// over a TLS listener whose certificate is not publicly trusted.
func TestStrictTransportSecurity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		host, proto string
		direct      bool
		want        bool
	}{
		{"calls.example.com", "https", false, true},
		{"calls.example.com:443", "https", false, true},
		{"calls.example.com", "http", false, false},
		{"calls.example.com:8443", "https", false, false},
		{"LOCALHOST", "https", false, false},
		{"app.localhost", "https", false, false},
		{"calls.example.com", "https", true, false},
	} {
		r := httptest.NewRequest("GET", "http://"+c.host+"/", nil)
		if c.direct {
			r.TLS = &tls.ConnectionState{}
		}
		w := httptest.NewRecorder()
		e := echo.New()
		e.SchemeExtractor = func(*http.Request) string { return c.proto }
		ctx := e.NewContext(r, w)
		if err := hsts.NewMiddleware(nil)(func(echo.Context) error { return nil })(ctx); err != nil {
			t.Fatal(err)
		}
		if got := w.Header().Get(echo.HeaderStrictTransportSecurity) != ""; got != c.want {
			t.Errorf("%+v: the header is set: %v", c, got)
		}
	}
}
