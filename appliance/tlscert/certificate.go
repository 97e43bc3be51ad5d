// Package tlscert provides the listener's TLS certificate and renews it, from one of three sources:
//
//   - files: a certificate and its key, checked every few seconds. A pair that changed replaces the old one
//     for new connections if it is valid; if not, the old one stays in use and the log says what is wrong.
//   - local: a private CA of this machine. Its root is created once and kept; name constraints limit it to the names
//     and addresses of this machine and to private names and networks (RFC 5280, 4.2.1.10), so that installing it
//     trusts it with no more. Its certificates are renewed long before they expire, and when the machine's addresses
//     change.
//   - ACME (RFC 8555): a public CA such as Let's Encrypt, by tls-alpn-01 on the listener or http-01 on the redirecting
//     one, both by golang.org/x/crypto/acme/autocert. Certificates are obtained only for the configured names, at the
//     start and not when a client connects, with back-off below the CA's rate limits.
//
// Keys are stored in the folder tls of the data folder, 0600 in 0700. The package is independent of the settings and
// the listener.
package tlscert

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"time"
)

// CertificateFolder returns the folder of certificates and keys in a data folder.
func CertificateFolder(data string) string { return filepath.Join(data, "tls") }

// CertificateSource provides a listener's certificate. It is safe for concurrent use.
type CertificateSource interface {
	// TLSConfig returns the listener's TLS configuration.
	TLSConfig() *tls.Config
	// Run renews the certificate until ctx ends.
	Run(ctx context.Context) error
	// HandleChallenge wraps the handler of the listener for plain HTTP, if there is one, to answer ACME http-01
	// challenges.
	HandleChallenge(next http.Handler) http.Handler
	// CurrentCertificate returns the certificate in use; nil if there is none yet.
	CurrentCertificate() *tls.Certificate
	// RootPEM returns the local CA's root certificate as PEM; nil for other sources.
	RootPEM() []byte
}

// LeafCertificate returns the parsed certificate in use; nil if there is none yet.
func LeafCertificate(s CertificateSource) *x509.Certificate {
	if pair := s.CurrentCertificate(); pair != nil {
		return pair.Leaf
	}
	return nil
}

// IsPubliclyTrusted reports whether browsers trust the certificate without an installed CA, as far as this machine
// can tell from its own roots. Only then may HSTS be sent.
func IsPubliclyTrusted(s CertificateSource, now time.Time) bool {
	pair := s.CurrentCertificate()
	return pair != nil && s.RootPEM() == nil && verifyTrusted(pair, now) == nil
}

func verifyTrusted(pair *tls.Certificate, now time.Time) error {
	between := x509.NewCertPool()
	for _, der := range pair.Certificate[1:] {
		if c, err := x509.ParseCertificate(der); err == nil {
			between.AddCert(c)
		}
	}
	_, err := pair.Leaf.Verify(x509.VerifyOptions{Intermediates: between, CurrentTime: now})
	return err
}

// verifyValidity refuses a certificate that is not yet valid or has expired.
func verifyValidity(leaf *x509.Certificate, now time.Time) error {
	const day = "2006-01-02 15:04 MST"
	switch {
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("is not valid before %s; is this machine's clock right?", leaf.NotBefore.Format(day))
	case now.After(leaf.NotAfter):
		return fmt.Errorf("expired on %s; replace it", leaf.NotAfter.Format(day))
	}
	return nil
}

// CertificateNames returns all names and addresses of a certificate.
func CertificateNames(leaf *x509.Certificate) []string {
	names := append([]string(nil), leaf.DNSNames...)
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// newTLSConfig returns the TLS configuration that all sources share: TLS 1.2 or later, HTTP/2.
func newTLSConfig(get func(*tls.ClientHelloInfo) (*tls.Certificate, error)) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: get, NextProtos: []string{"h2", "http/1.1"}}
}

// errNone is the handshake's error without a certificate.
var errNone = errors.New("there is no certificate for this name")

// endsSoon is how long before expiry the log begins to warn.
const endsSoon = 14 * 24 * time.Hour

// expiryWarner logs once a day that a certificate expires soon.
type expiryWarner struct {
	log  *slog.Logger
	last time.Time
}

func (w *expiryWarner) checkExpiry(leaf *x509.Certificate, now time.Time) {
	if leaf == nil || leaf.NotAfter.Sub(now) > min(endsSoon, leaf.NotAfter.Sub(leaf.NotBefore)/4) ||
		now.Sub(w.last) < 24*time.Hour {
		return
	}
	w.last = now
	w.log.Warn("the TLS certificate expires or has expired", "names", CertificateNames(leaf), "until", leaf.NotAfter.UTC())
}

// runPeriodically calls look at once and at each period until ctx ends.
func runPeriodically(ctx context.Context, period time.Duration, look func()) error {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		look()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
