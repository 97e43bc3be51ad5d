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

// openCertificate makes what the listener proves itself with, if the settings want any.
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

// machineHostNames is how others reach this machine, as far as it knows.
func (a *Appliance) machineHostNames() tlscert.HostNames {
	return tlscert.MachineHostNames(a.inForce().PublicHost(), a.config.Listen.Host())
}

// serveListener answers on the listener, over TLS or not, until the server is shut down.
func (a *Appliance) serveListener(server *http.Server) error {
	server.ErrorLog = log.New(serverLog{a.log}, "", 0)
	if a.certificate != nil {
		server.TLSConfig = a.certificate.TLSConfig()
		return server.ServeTLS(a.listener, "", "")
	}
	if !a.config.Listen.IsLoopback() && a.config.TrustedProxies == "" {
		a.log.Warn("not encrypted: whoever is on the network can read passwords, keys and sound. Encrypt by --tls local, "+
			"by --tls-cert and --tls-key, by --tls acme, or by a proxy with TLS that is named in --trusted-proxies",
			"listen", a.config.Listen.String())
	}
	return server.Serve(a.listener)
}

// publicURL is where people and programs reach the appliance.
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

// linkHost is a host for links: a listener on all interfaces has none of its own.
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

// oneYear keeps a browser on TLS with this host for a year (RFC 6797). Hosts below it are not ours to bind.
const oneYear = "max-age=31536000"

// hstsMiddleware is middleware that has browsers come by TLS alone from now on, where that locks nobody out: on the host's
// usual port, so that no other program of the host is bound too, and, unless a proxy encrypts, by a certificate that
// browsers trust without having installed anything.
func (a *Appliance) hstsMiddleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if c.Scheme() == "https" && isDefaultTLSHost(r.Host) && (r.TLS == nil || a.insistence.isTrusted(a.certificate, time.Now())) {
			c.Response().Header().Set(echo.HeaderStrictTransportSecurity, oneYear)
		}
		return next(c)
	}
}

// isDefaultTLSHost says that a Host header names the port of HTTPS, and no machine that is every developer's own.
func isDefaultTLSHost(host string) bool {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = host, "443"
	}
	name = strings.ToLower(name)
	return port == "443" && name != "localhost" && !strings.HasSuffix(name, ".localhost")
}

// hstsTrustCache remembers for a minute whether browsers trust the certificate: finding out verifies a chain.
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

// serverLog is where the HTTP server says what went wrong with a connection. Handshakes that fail are everyday on a
// port that strangers try.
type serverLog struct{ to *slog.Logger }

// maxConnectionLine bounds a line about a connection, in bytes: a server name of a TLS handshake is the client's choice.
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
