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

// checkTLS says what the listener proves itself with: what it shows, where it runs; else what it would.
func checkTLS(ctx context.Context, cfg *config.Config) checkFinding {
	f := checkFinding{name: "encryption"}
	switch {
	case !cfg.UsesTLS():
		f.message = "none"
		if !cfg.Listen.IsLoopback() && cfg.TrustedProxies == "" {
			f.warning = true
			f.err = fmt.Errorf("none, and %s is reached from other machines: see --tls, or name the proxy that encrypts in "+
				"--trusted-proxies", cfg.Listen)
		}
	case admin.IsRunning(ctx, cfg.Data):
		f.message, f.err = servedCertificate(ctx, cfg)
	default:
		f.message, f.err = wouldShow(ctx, cfg)
	}
	return f
}

// servedCertificate is the certificate that the running appliance shows.
func servedCertificate(ctx context.Context, cfg *config.Config) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{
		InsecureSkipVerify: true, // it is looked at, not trusted
		ServerName:         cfg.PublicHost(),
	}}
	conn, err := dialer.DialContext(ctx, "tcp", cfg.Listen.String())
	if err != nil {
		return "", fmt.Errorf("the appliance runs, but %s shows no certificate: %w", cfg.Listen, err)
	}
	defer func() { _ = conn.Close() }() // it was only looked at
	secured, ok := conn.(*tls.Conn)
	if !ok || len(secured.ConnectionState().PeerCertificates) == 0 {
		return "", errors.New("the appliance shows no certificate")
	}
	return describeCertificate(secured.ConnectionState().PeerCertificates[0])
}

// wouldShow is what the settings come to.
func wouldShow(ctx context.Context, cfg *config.Config) (string, error) {
	switch cfg.CertificateMode() {
	case config.TLSLocal:
		content, err := tlscert.ReadRoot(tlscert.CertificateFolder(cfg.Data))
		if errors.Is(err, fs.ErrNotExist) {
			return "local; the authority is made on the first start", nil
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
				return "", fmt.Errorf("the authority has to find this machine by its name: %w", err)
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

// describeCertificate is a certificate in a line; an error when it has ended.
func describeCertificate(c *x509.Certificate) (string, error) {
	names := strings.Join(tlscert.CertificateNames(c), ", ")
	if names == "" {
		names = c.Subject.CommonName
	}
	text := fmt.Sprintf("certificate for %s until %s", names, c.NotAfter.Format("2006-01-02"))
	if time.Now().After(c.NotAfter) {
		return "", errors.New(text + ": it has ended")
	}
	return text, nil
}
