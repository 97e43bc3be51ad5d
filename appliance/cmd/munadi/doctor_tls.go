package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/config"
	"munadi/appliance/tlscert"
)

// checkTLS reports the listener's certificate: the one in use if the appliance runs, else that of the settings.
func checkTLS(ctx context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "encryption"}
	switch {
	case !cfg.UsesTLS():
		f.message = "none: only this machine can reach " + cfg.Listen.String()
		if cfg.TrustedProxies != "" {
			f.message = "none: left to the proxies of trusted-proxies"
		}
		if !cfg.Listen.IsLoopback() && cfg.TrustedProxies == "" {
			f.warning = true
			f.err = fmt.Errorf("none, but other machines can reach %s: set --tls, or list the TLS proxy in "+
				"--trusted-proxies", cfg.Listen)
		}
	case admin.IsRunning(ctx, cfg.Data):
		f.message, f.err = servedCertificate(ctx, cfg)
	default:
		f.message, f.err = configuredCertificate(ctx, cfg)
	}
	return f
}

// servedCertificate describes the certificate that the running appliance presents.
func servedCertificate(ctx context.Context, cfg *config.Config) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{
		InsecureSkipVerify: true, // inspected only, not trusted
		ServerName:         cfg.PublicHost(),
	}}
	conn, err := dialer.DialContext(ctx, "tcp", cfg.Listen.String())
	if err != nil {
		return "", fmt.Errorf("the appliance runs, but %s presents no certificate: %w", cfg.Listen, err)
	}
	defer func() { _ = conn.Close() }() // inspected only
	secured, ok := conn.(*tls.Conn)
	if !ok || len(secured.ConnectionState().PeerCertificates) == 0 {
		return "", errors.New("the appliance presents no certificate")
	}
	return describeCertificate(secured.ConnectionState().PeerCertificates[0])
}

// configuredCertificate describes the certificate of the settings.
func configuredCertificate(ctx context.Context, cfg *config.Config) (string, error) {
	switch cfg.CertificateMode() {
	case config.TLSLocal:
		content, err := tlscert.ReadRoot(tlscert.CertificateFolder(cfg.Data))
		if errors.Is(err, fs.ErrNotExist) {
			return "local; the CA is created on the first start", nil
		}
		if err != nil {
			return "", err
		}
		root, err := parseRoot(content)
		if err != nil {
			return "", err
		}
		return describeCertificate(root)
	case config.TLSACME:
		for _, domain := range cfg.CertificateDomains() {
			if _, err := net.DefaultResolver.LookupHost(ctx, domain); err != nil {
				return "", fmt.Errorf("the ACME CA must be able to resolve the domain name of this machine: %w", err)
			}
		}
		return "acme, for " + strings.Join(cfg.CertificateDomains(), ", "), nil
	default:
		source, err := tlscert.NewFileSource(cfg.TLSCert, cfg.TLSKey, slog.New(slog.DiscardHandler))
		if err != nil {
			return "", err
		}
		return describeCertificate(tlscert.LeafCertificate(source))
	}
}

// describeCertificate summarizes a certificate; an expired one is an error.
func describeCertificate(c *x509.Certificate) (string, error) {
	names := strings.Join(tlscert.CertificateNames(c), ", ")
	if names == "" {
		names = c.Subject.CommonName
	}
	text := fmt.Sprintf("certificate for %s until %s", names, c.NotAfter.Format("2006-01-02"))
	if time.Now().After(c.NotAfter) {
		return "", errors.New(text + ": it has expired")
	}
	return text, nil
}
