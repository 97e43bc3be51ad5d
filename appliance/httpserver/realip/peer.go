// Package realip determines the client's real IP address and scheme behind reverse proxies, from X-Forwarded-For and
// X-Forwarded-Proto, and whether the connection is exposed to eavesdroppers.
//
// A proxy's headers count only if the proxy's address lies in one of the trusted networks; any client can send them.
// Of X-Forwarded-For the rightmost address counts that is not itself a trusted proxy, of X-Forwarded-Proto the last
// value. [TrustProxies] comes before all other middleware: behind it a request's RemoteAddr is the client's for all
// that read it (log, sign-in lockout, cookies), and [RequestScheme] is the client's scheme. Without trusted networks
// both are those of the connection.
package realip

import (
	"context"
	"net"
	"net/http"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// contextKey is the key of the clientView in a request's context.
type contextKey struct{}

// clientView is the scheme of a request as its client sees it, and the listener's exposure.
type clientView struct {
	scheme string
	open   bool // the listener can be reached from beyond this machine
}

// TrustProxies sets RemoteAddr and scheme of requests to next from the headers of proxies in the trusted networks.
// Open: the listener is reachable from beyond this machine.
func TrustProxies(next http.Handler, trusted []netip.Prefix, open bool) http.Handler {
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, network := range trusted {
		options = append(options, echo.TrustIPRange(ipNet(network)))
	}
	address, scheme := echo.ExtractIPFromXFFHeader(options...), echo.ExtractSchemeFromHeaders(options...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), contextKey{}, clientView{browserScheme(scheme(r)), open}))
		if host, port, err := net.SplitHostPort(r.RemoteAddr); err == nil {
			if client := address(r); client != host {
				r.RemoteAddr = net.JoinHostPort(client, port)
			}
		}
		next.ServeHTTP(w, r)
	})
}

func ipNet(p netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}
}

// browserScheme maps a forwarded scheme to http or https: some proxies name ws and wss.
func browserScheme(scheme string) string {
	if scheme == "https" || scheme == "wss" {
		return "https"
	}
	return "http"
}

// RequestScheme returns http or https, as the client sees it. It is an echo.SchemeExtractor.
func RequestScheme(r *http.Request) string {
	if v, ok := r.Context().Value(contextKey{}).(clientView); ok {
		return v.scheme
	}
	return echo.ExtractSchemeDirect()(r)
}

// IsExposed reports whether a request can be read on the network: it is unencrypted, and it comes from another
// machine or to a listener that other machines can reach.
func IsExposed(r *http.Request) bool {
	if RequestScheme(r) == "https" {
		return false
	}
	v, _ := r.Context().Value(contextKey{}).(clientView)
	return v.open || !isLoopback(r.RemoteAddr)
}

// isLoopback reports whether an address with port is a loopback address.
func isLoopback(address string) bool {
	at, err := netip.ParseAddrPort(address)
	return err == nil && at.Addr().Unmap().IsLoopback()
}
