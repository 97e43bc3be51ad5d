package appliance

import (
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/certificate"
	"munadi/appliance/config"
)

// openCertificate makes what the listener proves itself with, if the settings want any.
func (a *Appliance) openCertificate() (err error) {
	folder := certificate.Folder(a.config.Data)
	switch a.config.Certificate() {
	case config.TLSNone:
	case config.TLSLocal:
		a.certificate, err = certificate.Local(folder, a.reach, time.Now, a.log)
	case config.TLSACME:
		a.certificate = certificate.ACME(filepath.Join(folder, "acme"), certificate.Order{
			Domains: a.config.Domains(), Directory: a.config.ACMEDirectory, Email: a.config.ACMEEmail,
		}, a.log)
	default:
		a.certificate, err = certificate.Files(a.config.TLSCert, a.config.TLSKey, a.log)
	}
	return err
}

// reach is how others reach this machine, as far as it knows.
func (a *Appliance) reach() certificate.Reach {
	return certificate.Reaches(a.inForce().PublicHost(), a.config.Listen.Host())
}

// serve answers on the listener, over TLS or not, until the server is shut down.
func (a *Appliance) serve(server *http.Server) error {
	server.ErrorLog = log.New(serverLog{a.log}, "", 0)
	if a.certificate != nil {
		server.TLSConfig = a.certificate.Config()
		return server.ServeTLS(a.listener, "", "")
	}
	if !a.config.Listen.Loopback() && a.config.TrustedProxies == "" {
		a.log.Warn("not encrypted: whoever is on the network can read passwords, keys and sound. Encrypt by --tls local, "+
			"by --tls-cert and --tls-key, by --tls acme, or by a proxy with TLS that is named in --trusted-proxies",
			"listen", a.config.Listen.String())
	}
	return server.Serve(a.listener)
}

// url is where people and programs reach the appliance.
func (a *Appliance) url() string {
	if base := a.inForce().PublicURL; base != "" {
		return base
	}
	host, port, _ := net.SplitHostPort(a.Addr().String())
	scheme, usual := "http", "80"
	if a.certificate != nil {
		scheme, usual = "https", "443"
	}
	host = a.named(host)
	if port == usual {
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		return scheme + "://" + host
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// named is a host for links: a listener on all interfaces has none of its own.
func (a *Appliance) named(host string) string {
	if domains := a.config.Domains(); a.config.Certificate() == config.TLSACME && len(domains) > 0 {
		return domains[0]
	}
	if at, err := netip.ParseAddr(host); err != nil || !at.IsUnspecified() {
		return host
	}
	if reach := a.reach(); len(reach.Addresses) > 0 {
		return reach.Addresses[0].String()
	}
	return host
}

// insistence tells browsers to come by TLS only from now on (RFC 6797), for a year, where that can't lock anybody out:
// they trust the certificate without having installed anything, and the host's usual port is ours.
type insistence struct {
	mu    sync.Mutex
	next  time.Time // when it is found out again
	value bool
}

const oneYear = "max-age=31536000"

// insist is middleware.
func (a *Appliance) insist(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().TLS != nil && a.insists(time.Now()) {
			c.Response().Header().Set(echo.HeaderStrictTransportSecurity, oneYear)
		}
		return next(c)
	}
}

// insists is found out once a minute: it verifies a chain.
func (a *Appliance) insists(now time.Time) bool {
	i := &a.insistence
	i.mu.Lock()
	defer i.mu.Unlock()
	if now.Before(i.next) {
		return i.value
	}
	u, err := url.Parse(a.url())
	i.next = now.Add(time.Minute)
	i.value = err == nil && u.Scheme == "https" && (u.Port() == "" || u.Port() == "443") &&
		certificate.Public(a.certificate, now)
	return i.value
}

// serverLog is where the HTTP server says what went wrong with a connection. Handshakes that fail are everyday on a
// port that strangers try.
type serverLog struct{ to *slog.Logger }

// Write implements io.Writer; p is a line.
func (l serverLog) Write(p []byte) (int, error) {
	line := strings.TrimSpace(string(p))
	if strings.Contains(line, "TLS handshake error") {
		l.to.Debug("connection", "err", line)
	} else {
		l.to.Warn("connection", "err", line)
	}
	return len(p), nil
}
