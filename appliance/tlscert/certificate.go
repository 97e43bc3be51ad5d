// Package tlscert is what the listener proves itself with over TLS, from one of three sources:
//
//   - files: a certificate and its key, looked at every few seconds. A pair that changed takes the place of the old one
//     for the next connection if it is right; if not, the old one serves on and the log says what is wrong.
//   - local: an authority of this machine's own. Its root is made once and kept; it vouches for the names and addresses
//     that this machine has, and may vouch for nothing else but private names and networks (RFC 5280, 4.2.1.10), so
//     that whoever installs it trusts it with no more. Its certificates are renewed long before they end, and when the
//     machine's addresses change.
//   - ACME (RFC 8555): a public authority, by tls-alpn-01 on the listener or http-01 on the redirecting one, both by
//     golang.org/x/crypto/acme/autocert. Only the names that were asked for, first asked for at the start and not when
//     somebody connects, with pauses that stay below the authorities' limits.
//
// What is secret lies in the folder tls of the data folder, 0600 in 0700. The package knows neither the settings nor
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

// CertificateFolder is where a data folder has what is kept here.
func CertificateFolder(data string) string { return filepath.Join(data, "tls") }

// CertificateSource gives a listener its certificate. It is safe for concurrent use.
type CertificateSource interface {
	// TLSConfig is for the listener.
	TLSConfig() *tls.Config
	// Run keeps the certificate fresh until ctx ends.
	Run(ctx context.Context) error
	// HandleChallenge stands before the handler of the listener for plain HTTP, if there is one.
	HandleChallenge(next http.Handler) http.Handler
	// CurrentCertificate is the certificate that serves now; nil while there is none.
	CurrentCertificate() *tls.Certificate
	// RootPEM is the local authority's certificate as PEM; nil for other sources.
	RootPEM() []byte
}

// LeafCertificate is the certificate itself, parsed; nil while there is none.
func LeafCertificate(s CertificateSource) *x509.Certificate {
	if pair := s.CurrentCertificate(); pair != nil {
		return pair.Leaf
	}
	return nil
}

// IsPubliclyTrusted says that browsers trust the certificate as they are, as far as this machine can tell from its own roots: only
// then may a browser be told to insist on it.
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

// verifyValidity refuses a certificate whose time it is not.
func verifyValidity(leaf *x509.Certificate, now time.Time) error {
	const day = "2006-01-02 15:04 MST"
	switch {
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("begins only on %s; is this machine's clock right?", leaf.NotBefore.Format(day))
	case now.After(leaf.NotAfter):
		return fmt.Errorf("ended on %s; put a new one in its place", leaf.NotAfter.Format(day))
	}
	return nil
}

// CertificateNames are all that a certificate is for, addresses included.
func CertificateNames(leaf *x509.Certificate) []string {
	names := append([]string(nil), leaf.DNSNames...)
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// newTLSConfig is what all sources want of a connection.
func newTLSConfig(get func(*tls.ClientHelloInfo) (*tls.Certificate, error)) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: get, NextProtos: []string{"h2", "http/1.1"}}
}

// errNone is the handshake's error while there is no certificate.
var errNone = errors.New("there is no certificate for this name")

// endsSoon is when the log begins to warn.
const endsSoon = 14 * 24 * time.Hour

// expiryWarner says once a day that a certificate ends.
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
	w.log.Warn("the TLS certificate ends soon, or has ended", "names", CertificateNames(leaf), "until", leaf.NotAfter.UTC())
}

// runPeriodically calls look now and then until ctx ends.
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
