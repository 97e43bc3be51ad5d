package httpserver

import (
	"net"
	"net/netip"
	"strings"
)

// URLParts are the parts of a server's base URL.
type URLParts struct {
	Configured string              // the setting public-url; empty: not set
	Listener   net.Addr            // address of the listener
	TLS        bool                // the listener serves HTTPS
	Domains    []string            // domains of an ACME certificate, if there is one
	Addresses  func() []netip.Addr // the machine's own addresses, for a listener on all interfaces
}

// BaseURL returns the URL at which clients reach the server: the configured one, else made from the listener.
func BaseURL(p URLParts) string {
	if p.Configured != "" {
		return p.Configured
	}
	host, port, _ := net.SplitHostPort(p.Listener.String())
	scheme, usual := "http", "80"
	if p.TLS {
		scheme, usual = "https", "443"
	}
	host = p.linkHost(host)
	if port == usual {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return scheme + "://" + host
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// linkHost returns a host for links: a listener on all interfaces has no specific address.
func (p URLParts) linkHost(host string) string {
	if len(p.Domains) > 0 {
		return p.Domains[0]
	}
	if at, err := netip.ParseAddr(host); err != nil || !at.IsUnspecified() {
		return host
	}
	if reach := p.Addresses(); len(reach) > 0 {
		return reach[0].String()
	}
	return host
}
