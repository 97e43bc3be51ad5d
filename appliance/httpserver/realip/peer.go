// Package realip says who is at the other end of a request, and whether others can read along: the client's own address
// and the scheme that it sees, also where a proxy stands in between.
//
// A proxy's word counts only if the proxy's address lies in one of the trusted networks; anybody can send headers. Of
// X-Forwarded-For the rightmost address counts that is no trusted proxy itself, of X-Forwarded-Proto the last value.
// [TrustProxies] stands before everything else: behind it a request's RemoteAddr is the client's, whatever reads it (log,
// lock-out, cookies), and [RequestScheme] is the client's scheme. Without trusted networks it is what the connection says.
package realip

import (
	"context"
	"net"
	"net/http"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// contextKey of what the handler leaves in a request's context.
type contextKey struct{}

// clientView is what a request looks like to its client.
type clientView struct {
	scheme string
	open   bool // the listener can be reached from beyond this machine
}

// TrustProxies puts next behind the proxies in trusted. Open says that the listener is reached from beyond this machine.
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

// browserScheme is the scheme of pages that a proxy's word stands for: some call WebSocket's by its own name.
func browserScheme(scheme string) string {
	if scheme == "https" || scheme == "wss" {
		return "https"
	}
	return "http"
}

// RequestScheme is http or https, as the client sees it. It is an echo.SchemeExtractor.
func RequestScheme(r *http.Request) string {
	if v, ok := r.Context().Value(contextKey{}).(clientView); ok {
		return v.scheme
	}
	return echo.ExtractSchemeDirect()(r)
}

// IsExposed says that a request can be read on its way: it is unencrypted, and either comes from another machine or to a
// listener that other machines reach too.
func IsExposed(r *http.Request) bool {
	if RequestScheme(r) == "https" {
		return false
	}
	v, _ := r.Context().Value(contextKey{}).(clientView)
	return v.open || !isLoopback(r.RemoteAddr)
}

// isLoopback tells whether an address with port is this machine's own.
func isLoopback(address string) bool {
	at, err := netip.ParseAddrPort(address)
	return err == nil && at.Addr().Unmap().IsLoopback()
}
