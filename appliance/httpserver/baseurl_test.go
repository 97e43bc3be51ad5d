package httpserver_test

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"munadi/appliance/httpserver"
)

func TestBaseURL(t *testing.T) {
	t.Parallel()
	at := func(text string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(text)) }
	own := func() []netip.Addr { return []netip.Addr{netip.MustParseAddr("192.0.2.7")} }
	for want, p := range map[string]httpserver.URLParts{
		"https://set.example/x":    {Configured: "https://set.example/x", Listener: at("127.0.0.1:80")},
		"http://127.0.0.1:8080":    {Listener: at("127.0.0.1:8080")},
		"http://127.0.0.1":         {Listener: at("127.0.0.1:80")},
		"https://127.0.0.1:80":     {Listener: at("127.0.0.1:80"), TLS: true},
		"https://[::1]":            {Listener: at("[::1]:443"), TLS: true},
		"http://[::1]:8080":        {Listener: at("[::1]:8080")},
		"http://192.0.2.7:8080":    {Listener: at("0.0.0.0:8080"), Addresses: own},
		"https://calls.example:88": {Listener: at("0.0.0.0:88"), TLS: true, Domains: []string{"calls.example"}},
	} {
		if got := httpserver.BaseURL(p); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestPublicURLWithAPath: paths of the server are below that of the public URL, and the pages begin at its host.
func TestPublicURLWithAPath(t *testing.T) {
	t.Parallel()
	for public, want := range map[string][2]string{
		"https://calls.example":         {"https://calls.example", "/api/v1/calls"},
		"https://calls.example/":        {"https://calls.example", "/api/v1/calls"},
		"https://example.com:8443/m/a/": {"https://example.com:8443", "/m/a/api/v1/calls"},
		"http://[::1]:8080/munadi":      {"http://[::1]:8080", "/munadi/api/v1/calls"},
	} {
		got := [2]string{httpserver.PublicOrigin(public), httpserver.PublicPath(public, "/api/v1/calls")}
		if got != want {
			t.Errorf("%s: %q, want %q", public, got, want)
		}
	}
}

// An address in use says which setting names it, and what to do.
func TestListenTCPInUse(t *testing.T) {
	t.Parallel()
	first, err := httpserver.ListenTCP("listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = first.Close() })
	if _, err = httpserver.ListenTCP("redirect", first.Addr().String()); err == nil ||
		!strings.Contains(err.Error(), "another program has it") || !strings.Contains(err.Error(), "--redirect") {
		t.Errorf("got %v", err)
	}
}
