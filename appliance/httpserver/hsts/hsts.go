// Package hsts sets the header Strict-Transport-Security (HSTS, RFC 6797).
package hsts

import (
	"net"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/tlscert"
)

// oneYear is the HSTS policy: one year (RFC 6797), without includeSubDomains, since other hosts of the domain are not
// ours.
const oneYear = "max-age=31536000"

// NewMiddleware returns middleware that sets Strict-Transport-Security on HTTPS requests, unless that could lock users
// out: only on the host's port 443, so that other programs of the host are not affected, and, unless a proxy ends TLS,
// only with a certificate that browsers trust without an installed CA. certificate is nil without TLS.
func NewMiddleware(certificate tlscert.CertificateSource) echo.MiddlewareFunc {
	var trust trustCache
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if c.Scheme() == "https" && isDefaultTLSHost(r.Host) &&
				(r.TLS == nil || trust.isTrusted(certificate, time.Now())) {
				c.Response().Header().Set(echo.HeaderStrictTransportSecurity, oneYear)
			}
			return next(c)
		}
	}
}

// isDefaultTLSHost reports whether a Host header names port 443, and not localhost.
func isDefaultTLSHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, "443"
	}
	name = strings.ToLower(name)
	return port == "443" && name != "localhost" && !strings.HasSuffix(name, ".localhost")
}

// trustCache caches for a minute whether the certificate is publicly trusted, since that verifies a chain.
type trustCache struct {
	mu      sync.Mutex
	next    time.Time
	trusted bool
}

func (t *trustCache) isTrusted(s tlscert.CertificateSource, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !now.Before(t.next) {
		t.next, t.trusted = now.Add(time.Minute), s != nil && tlscert.IsPubliclyTrusted(s, now)
	}
	return t.trusted
}
