// Package peer says who is at the other end of a request, and whether others can read along: the client's own address
// and the scheme that it sees, also where a proxy stands in between.
//
// A proxy's word counts only if the proxy's address lies in one of the trusted networks; anybody can send headers. Of
// X-Forwarded-For the rightmost address counts that is no trusted proxy itself, of X-Forwarded-Proto the last value.
// [Handler] stands before everything else: behind it a request's RemoteAddr is the client's, whatever reads it (log,
// lock-out, cookies), and [Scheme] is the client's scheme. Without trusted networks it is what the connection says.
package peer

import (
	"context"
	"net"
	"net/http"
	"net/netip"

	"github.com/labstack/echo/v4"
)

// key of what the handler leaves in a request's context.
type key struct{}

// view is what a request looks like to its client.
type view struct {
	scheme string
	open   bool // the listener can be reached from beyond this machine
}

// Handler puts next behind the proxies in trusted. Open says that the listener is reached from beyond this machine.
func Handler(next http.Handler, trusted []netip.Prefix, open bool) http.Handler {
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, network := range trusted {
		options = append(options, echo.TrustIPRange(ipNet(network)))
	}
	address, scheme := echo.ExtractIPFromXFFHeader(options...), echo.ExtractSchemeFromHeaders(options...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(context.WithValue(r.Context(), key{}, view{browsed(scheme(r)), open}))
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

// browsed is the scheme of pages that a proxy's word stands for: some call WebSocket's by its own name.
func browsed(scheme string) string {
	if scheme == "https" || scheme == "wss" {
		return "https"
	}
	return "http"
}

// Scheme is http or https, as the client sees it. It is an echo.SchemeExtractor.
func Scheme(r *http.Request) string {
	if v, ok := r.Context().Value(key{}).(view); ok {
		return v.scheme
	}
	return echo.ExtractSchemeDirect()(r)
}

// Exposed says that a request can be read on its way: it is unencrypted, and either comes from another machine or to a
// listener that other machines reach too.
func Exposed(r *http.Request) bool {
	if Scheme(r) == "https" {
		return false
	}
	v, _ := r.Context().Value(key{}).(view)
	return v.open || !loopback(r.RemoteAddr)
}

// loopback tells whether an address with port is this machine's own.
func loopback(address string) bool {
	at, err := netip.ParseAddrPort(address)
	return err == nil && at.Addr().Unmap().IsLoopback()
}
