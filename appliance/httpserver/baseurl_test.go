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
