package cookie_test

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/cookie"
	"munadi/appliance/httpserver/realip"
)

// serveCookie returns the cookie of a handler's response to a request over that connection.
func serveCookie(encrypted bool, sent []*http.Cookie, handle func(echo.Context)) []*http.Cookie {
	r := httptest.NewRequest(http.MethodGet, "/console", nil)
	if r.TLS = nil; encrypted {
		r.TLS = &tls.ConnectionState{}
	}
	for _, c := range sent {
		r.AddCookie(c)
	}
	e, w := echo.New(), httptest.NewRecorder()
	e.SchemeExtractor = realip.RequestScheme
	handle(e.NewContext(r, w))
	return w.Result().Cookies()
}

func TestEncryptedCookiesAreBoundToTheHost(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(echo.Context){
		"set":      func(c echo.Context) { cookie.SetCookie(c, "session", "v", time.Hour) },
		"remember": func(c echo.Context) { cookie.SetPreference(c, "session", "v") },
		"end":      func(c echo.Context) { cookie.ClearCookie(c, "session") },
	} {
		got := serveCookie(true, nil, set)
		if len(got) != 1 {
			t.Fatalf("%s: %v", name, got)
		}
		// Browsers require of the __Host- prefix: Secure, Path=/ and no Domain.
		if c := got[0]; c.Name != "__Host-session" || !c.Secure || c.Path != "/" || c.Domain != "" || c.SameSite != http.SameSiteLaxMode {
			t.Errorf("%s, encrypted: %+v", name, c)
		}
		if c := serveCookie(false, nil, set)[0]; c.Name != "session" || c.Secure {
			t.Errorf("%s, plain: %+v", name, c)
		}
	}
}

func TestPlainCookieMeansNothingWhenEncrypted(t *testing.T) {
	t.Parallel()
	sent := []*http.Cookie{{Name: "session", Value: "plain"}}
	serveCookie(true, sent, func(c echo.Context) {
		if got := cookie.ReadCookie(c, "session"); got != "" {
			t.Errorf("a cookie of a plain connection counts: %q", got)
		}
	})
	serveCookie(false, sent, func(c echo.Context) {
		if got := cookie.ReadCookie(c, "session"); got != "plain" {
			t.Errorf("got %q", got)
		}
	})
}
