package realip_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/labstack/echo/v4"

	"munadi/appliance/httpserver/realip"
)

// seenRequest is a request as the wrapped handler sees it.
type seenRequest struct {
	remote, scheme string
	exposed        bool
}

func lookBehind(from string, header http.Header, open bool, trusted ...string) seenRequest {
	var got seenRequest
	e := echo.New()
	e.SchemeExtractor = realip.RequestScheme
	e.GET("/", func(c echo.Context) error {
		got = seenRequest{c.Request().RemoteAddr, c.Scheme(), realip.IsExposed(c.Request())}
		return nil
	})
	var networks []netip.Prefix
	for _, network := range trusted {
		networks = append(networks, netip.MustParsePrefix(network))
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr, r.Header = from, header
	realip.TrustProxies(e, networks, open).ServeHTTP(httptest.NewRecorder(), r)
	return got
}

func withForwarded(address, scheme string) http.Header {
	return http.Header{"X-Forwarded-For": {address}, "X-Forwarded-Proto": {scheme}}
}

func TestWhoIsAtTheOtherEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from    string
		header  http.Header
		trusted []string
		want    seenRequest
	}{
		"direct": {"198.51.100.7:41", nil, nil, seenRequest{"198.51.100.7:41", "http", true}},
		"itself": {"127.0.0.1:41", nil, nil, seenRequest{"127.0.0.1:41", "http", false}},
		"a stranger's word does not count": {
			"198.51.100.7:41", withForwarded("127.0.0.1", "https"), []string{"10.0.0.0/8"}, seenRequest{"198.51.100.7:41", "http", true},
		},
		"nor, without trusted networks, that of this machine": {
			"127.0.0.1:41", withForwarded("198.51.100.7", "https"), nil, seenRequest{"127.0.0.1:41", "http", false},
		},
		"a trusted proxy that calls a WebSocket by its own name": {
			"10.0.0.1:41", withForwarded("198.51.100.7", "WSS"), []string{"10.0.0.0/8"}, seenRequest{"198.51.100.7:41", "https", false},
		},
		"a trusted proxy": {
			"10.0.0.1:41", withForwarded("198.51.100.7", "https"), []string{"10.0.0.0/8"}, seenRequest{"198.51.100.7:41", "https", false},
		},
		"a trusted proxy that does not encrypt": {
			"10.0.0.1:41", withForwarded("198.51.100.7", "http"), []string{"10.0.0.0/8"}, seenRequest{"198.51.100.7:41", "http", true},
		},
		"what the client put before the proxy's word": {
			"10.0.0.1:41", withForwarded("127.0.0.1, 198.51.100.7", "https"), []string{"10.0.0.1/32"}, seenRequest{"198.51.100.7:41", "https", false},
		},
		"a chain": {
			"10.0.0.1:41", withForwarded("203.0.113.9, 198.51.100.7, 10.2.3.4", "https"), []string{"10.0.0.0/8"}, seenRequest{"198.51.100.7:41", "https", false},
		},
		"the proxy's own scheme is the last": {
			"10.0.0.1:41", withForwarded("198.51.100.7", "https, http"), []string{"10.0.0.0/8"}, seenRequest{"198.51.100.7:41", "http", true},
		},
		"IPv6": {
			"[fd00::1]:41", withForwarded("[2001:db8::7]", "https"), []string{"fd00::/8"}, seenRequest{"[2001:db8::7]:41", "https", false},
		},
		"rubbish from a proxy": {
			"10.0.0.1:41", withForwarded("unknown", "gopher"), []string{"10.0.0.0/8"}, seenRequest{"10.0.0.1:41", "http", true},
		},
	} {
		if got := lookBehind(c.from, c.header, false, c.trusted...); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestListenerBeyondThisMachineIsExposedToAll(t *testing.T) {
	t.Parallel()
	if got := lookBehind("127.0.0.1:41", nil, true); !got.exposed {
		t.Errorf("to a visitor from this machine: %+v", got)
	}
	if got := lookBehind("127.0.0.1:41", withForwarded("198.51.100.7", "https"), true, "127.0.0.0/8"); got.exposed {
		t.Errorf("behind a proxy that encrypts: %+v", got)
	}
}
