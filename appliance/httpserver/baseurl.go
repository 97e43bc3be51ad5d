package httpserver

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
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

// PublicOrigin returns the public URL without its path. Pages begin there: their links are those of the server itself.
func PublicOrigin(publicURL string) string {
	public, err := url.Parse(publicURL)
	if err != nil {
		return publicURL
	}
	return (&url.URL{Scheme: public.Scheme, Host: public.Host}).String()
}

// PublicPath returns the path at which clients reach a path of the server: below that of the public URL, which a
// reverse proxy takes away.
func PublicPath(publicURL, path string) string {
	public, err := url.Parse(publicURL)
	if err != nil {
		return path
	}
	return strings.TrimRight(public.EscapedPath(), "/") + path
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

// DecodePathParam returns a parameter of the route, percent-decoded once: echo leaves it encoded only where the path's
// encoding is not the usual one (its RawPath is set), so that decoding it always would decode some twice.
func DecodePathParam(c echo.Context, name string) (string, error) {
	if c.Request().URL.RawPath == "" {
		return c.Param(name), nil
	}
	return url.PathUnescape(c.Param(name))
}

// AcceptsGzip parses an Accept-Encoding header; "gzip;q=0" refuses gzip.
func AcceptsGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, quality, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			quality = strings.ToLower(strings.ReplaceAll(quality, " ", ""))
			return quality == "" || strings.Trim(strings.TrimPrefix(quality, "q="), "0.") != ""
		}
	}
	return false
}
