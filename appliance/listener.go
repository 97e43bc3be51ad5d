package appliance

import (
	"net/http"
	"net/netip"
	"path/filepath"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/httpserver"
	"munadi/appliance/httpserver/redirect"
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

// openListeners opens the listener, and the one that redirects plain HTTP if configured.
func (a *Appliance) openListeners() (err error) {
	if a.listener, err = httpserver.ListenTCP("listen", a.config.Listen.String()); err != nil {
		return err
	}
	if a.config.Redirect != "" {
		a.redirect, err = httpserver.ListenTCP("redirect", a.config.Redirect)
	}
	return err
}

// serveListener serves the listener, over TLS if enabled, until the server is shut down.
func (a *Appliance) serveListener(server *http.Server) error {
	if a.certificate != nil {
		server.TLSConfig = a.certificate.TLSConfig()
		return server.ServeTLS(a.listener, "", "")
	}
	if !a.config.Listen.IsLoopback() && a.config.TrustedProxies == "" {
		a.log.Warn("the listener is not encrypted (HTTP): passwords, API keys and audio can be read on the network. Use "+
			"--tls local, --tls-cert and --tls-key, --tls acme, or a TLS proxy that is listed in --trusted-proxies",
			"listen", a.config.Listen.String())
	}
	return server.Serve(a.listener)
}

// serveRedirect serves the listener that redirects browsers to HTTPS.
func (a *Appliance) serveRedirect() *http.Server {
	return redirect.TLSRedirect{
		Certificate: a.certificate, Listener: a.Addr(), PublicURL: a.publicURL, Log: a.log,
		IsFixed: func() bool { return a.inForce().PublicURL != "" },
	}.ServeListener(a.redirect)
}

// consoleURL returns the base URL at which people reach the pages of the console: a path of public-url is for the APIs.
func (a *Appliance) consoleURL() string { return httpserver.PublicOrigin(a.publicURL()) }

// publicURL returns the base URL at which clients reach the appliance.
func (a *Appliance) publicURL() string {
	parts := httpserver.URLParts{
		Configured: a.inForce().PublicURL, Listener: a.Addr(), TLS: a.certificate != nil,
		Addresses: func() []netip.Addr { return a.machineHostNames().Addresses },
	}
	if a.config.CertificateMode() == config.TLSACME {
		parts.Domains = a.config.CertificateDomains()
	}
	return httpserver.BaseURL(parts)
}
