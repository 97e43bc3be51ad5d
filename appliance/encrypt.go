package appliance

import (
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/config"
	"munadi/appliance/tlscert"
)

// openCertificate opens the listener's TLS certificate source (file, local CA or ACME), if TLS is enabled.
func (a *Appliance) openCertificate() (err error) {
	folder := tlscert.CertificateFolder(a.config.Data)
	switch a.config.CertificateMode() {
	case config.TLSNone:
	case config.TLSLocal:
		a.certificate, err = tlscert.NewLocalSource(folder, a.machineHostNames, time.Now, a.log)
	case config.TLSACME:
		a.certificate = tlscert.NewACMESource(filepath.Join(folder, "acme"), tlscert.ACMEOrder{
			Domains: a.config.CertificateDomains(), Directory: a.config.ACMEDirectory, Email: a.config.ACMEEmail,
		}, a.log)
	default:
		a.certificate, err = tlscert.NewFileSource(a.config.TLSCert, a.config.TLSKey, a.log)
	}
	return err
}

// machineHostNames returns the host names and addresses by which other machines reach this one, as far as it knows.
func (a *Appliance) machineHostNames() tlscert.HostNames {
	return tlscert.MachineHostNames(a.inForce().PublicHost(), a.config.Listen.Host())
}

// serveListener serves the listener, over TLS if enabled, until the server is shut down.
func (a *Appliance) serveListener(server *http.Server) error {
	server.ErrorLog = log.New(serverLog{a.log}, "", 0)
	if a.certificate != nil {
		server.TLSConfig = a.certificate.TLSConfig()
		return server.ServeTLS(a.listener, "", "")
	}
	if !a.config.Listen.IsLoopback() && a.config.TrustedProxies == "" {
		a.log.Warn("not encrypted (HTTP): passwords, API keys and audio can be read on the network. Use --tls local, "+
			"--tls-cert and --tls-key, --tls acme, or a TLS proxy that is listed in --trusted-proxies",
			"listen", a.config.Listen.String())
	}
	return server.Serve(a.listener)
}

// publicURL returns the base URL at which clients reach the appliance: the setting public-url, else made from the
// listener.
func (a *Appliance) publicURL() string {
	if base := a.inForce().PublicURL; base != "" {
		return base
	}
	host, port, _ := net.SplitHostPort(a.Addr().String())
	scheme, usual := "http", "80"
	if a.certificate != nil {
		scheme, usual = "https", "443"
	}
	host = a.linkHost(host)
	if port == usual {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return scheme + "://" + host
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// linkHost returns a host for links: a listener on all interfaces has no address of its own.
func (a *Appliance) linkHost(host string) string {
	if domains := a.config.CertificateDomains(); a.config.CertificateMode() == config.TLSACME && len(domains) > 0 {
		return domains[0]
	}
	if at, err := netip.ParseAddr(host); err != nil || !at.IsUnspecified() {
		return host
	}
	if reach := a.machineHostNames(); len(reach.Addresses) > 0 {
		return reach.Addresses[0].String()
	}
	return host
}

// oneYear is the HSTS policy: one year (RFC 6797), without includeSubDomains, since other hosts of the domain are not
// ours.
const oneYear = "max-age=31536000"

// hstsMiddleware sets Strict-Transport-Security (HSTS) on HTTPS requests, unless that could lock users out: only on
// the host's port 443, so that other programs of the host are not affected, and, unless a proxy ends TLS, only with a
// certificate that browsers trust without an installed CA.
func (a *Appliance) hstsMiddleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if c.Scheme() == "https" && isDefaultTLSHost(r.Host) &&
			(r.TLS == nil || a.insistence.isTrusted(a.certificate, time.Now())) {
			c.Response().Header().Set(echo.HeaderStrictTransportSecurity, oneYear)
		}
		return next(c)
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

// hstsTrustCache caches for a minute whether the certificate is publicly trusted, since that verifies a chain.
type hstsTrustCache struct {
	mu      sync.Mutex
	next    time.Time
	trusted bool
}

func (i *hstsTrustCache) isTrusted(s tlscert.CertificateSource, now time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !now.Before(i.next) {
		i.next, i.trusted = now.Add(time.Minute), s != nil && tlscert.IsPubliclyTrusted(s, now)
	}
	return i.trusted
}

// serverLog is the error log of the HTTP server. Failed TLS handshakes are logged at debug level: scanners cause them
// on every open port.
type serverLog struct{ to *slog.Logger }

// maxConnectionLine truncates such a line, in bytes: the server name of a TLS handshake is chosen by the client.
const maxConnectionLine = 1024

// Write implements io.Writer; p is a line.
func (l serverLog) Write(p []byte) (int, error) {
	line := strings.TrimSpace(strings.ToValidUTF8(string(p[:min(len(p), maxConnectionLine)]), ""))
	if strings.Contains(line, "TLS handshake error") {
		l.to.Debug("connection", "err", line)
	} else {
		l.to.Warn("connection", "err", line)
	}
	return len(p), nil
}
