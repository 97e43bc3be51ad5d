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
	"munadi/appliance/certificate"
	"munadi/appliance/config"
)

// checkTLS says what the listener proves itself with: what it shows, where it runs; else what it would.
func checkTLS(ctx context.Context, cfg *config.Config) finding {
	f := finding{name: "encryption"}
	switch {
	case !cfg.Encrypts():
		f.message = "none"
		if !cfg.Listen.Loopback() && cfg.TrustedProxies == "" {
			f.warning = true
			f.err = fmt.Errorf("none, and %s is reached from other machines: see --tls, or name the proxy that encrypts in "+
				"--trusted-proxies", cfg.Listen)
		}
	case admin.Running(ctx, cfg.Data):
		f.message, f.err = shown(ctx, cfg)
	default:
		f.message, f.err = wouldShow(ctx, cfg)
	}
	return f
}

// shown is the certificate that the running appliance shows.
func shown(ctx context.Context, cfg *config.Config) (string, error) {
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
	return described(secured.ConnectionState().PeerCertificates[0])
}

// wouldShow is what the settings come to.
func wouldShow(ctx context.Context, cfg *config.Config) (string, error) {
	switch cfg.Certificate() {
	case config.TLSLocal:
		content, err := certificate.ReadRoot(certificate.Folder(cfg.Data))
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
		return described(root)
	case config.TLSACME:
		for _, domain := range cfg.Domains() {
			if _, err := net.DefaultResolver.LookupHost(ctx, domain); err != nil {
				return "", fmt.Errorf("the authority has to find this machine by its name: %w", err)
			}
		}
		return "acme, for " + strings.Join(cfg.Domains(), ", "), nil
	default:
		source, err := certificate.Files(cfg.TLSCert, cfg.TLSKey, slog.New(slog.DiscardHandler))
		if err != nil {
			return "", err
		}
		return described(certificate.Leaf(source))
	}
}

// described is a certificate in a line; an error when it has ended.
func described(c *x509.Certificate) (string, error) {
	names := strings.Join(certificate.Names(c), ", ")
	if names == "" {
		names = c.Subject.CommonName
	}
	text := fmt.Sprintf("certificate for %s until %s", names, c.NotAfter.Format("2006-01-02"))
	if time.Now().After(c.NotAfter) {
		return "", errors.New(text + ": it has ended")
	}
	return text, nil
}
