package tlscert

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/google/renameio/v2"
)

// The files of the local CA.
const (
	rootFile    = "root.crt"
	rootKeyFile = "root.key"
	serverFile  = "server.pem" // certificate, then key
)

// renewEvery is the interval at which the local CA checks whether names or expiry require a new certificate.
const renewEvery = time.Minute

// localSource issues certificates from a private CA on this machine.
type localSource struct {
	folder  string
	reach   func() HostNames
	now     func() time.Time
	log     *slog.Logger
	root    *localAuthority
	serving atomic.Pointer[tls.Certificate]
	refused string // names outside the root's constraints, as last logged
}

// NewLocalSource opens the local CA in folder, which is created on the first start, for the names and addresses that
// reach returns.
func NewLocalSource(
	folder string, reach func() HostNames, now func() time.Time, log *slog.Logger,
) (CertificateSource, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("tls: make the local authority's folder: %w", err)
	}
	l := &localSource{folder: folder, reach: reach, now: now, log: log}
	if err := l.openRoot(); err != nil {
		return nil, err
	}
	l.resumeCertificate()
	return l, l.renewCertificate()
}

// ReadRoot returns the root certificate of the local CA in folder, as PEM; fs.ErrNotExist without one.
func ReadRoot(folder string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, rootFile)) }

// openRoot loads the root, or creates it. The key is written first: a certificate without its key is a fault, a key
// without a certificate an interrupted start.
func (l *localSource) openRoot() error {
	certPath, keyPath := filepath.Join(l.folder, rootFile), filepath.Join(l.folder, rootKeyFile)
	_, err := os.Stat(certPath)
	if errors.Is(err, fs.ErrNotExist) {
		return l.createRoot(certPath, keyPath)
	}
	pair, err := tls.LoadX509KeyPair(certPath, keyPath)
	if err == nil {
		l.root, err = authorityOf(&pair)
	}
	if err == nil {
		err = verifyValidity(l.root.cert, l.now())
	}
	if err != nil {
		return fmt.Errorf("tls: the local authority in %s cannot be used: %w; bring it back from a backup, or remove the "+
			"folder to have a new one, whose root certificate everybody has to install again", l.folder, err)
	}
	return nil
}

// createRoot creates the root.
func (l *localSource) createRoot(certPath, keyPath string) error {
	host, _ := os.Hostname() // only part of the CA's display name
	root, key, err := newAuthority(host, l.reach(), l.now())
	if err != nil {
		return fmt.Errorf("tls: make the local authority: %w", err)
	}
	if err := renameio.WriteFile(keyPath, key, 0o600); err != nil {
		return fmt.Errorf("tls: keep the local authority's key: %w", err)
	}
	if err := renameio.WriteFile(certPath, root.certificatePEM(), 0o600); err != nil {
		return fmt.Errorf("tls: keep the local authority's certificate: %w", err)
	}
	l.root = root
	l.log.Info("a local certificate authority was made; install its root where the console is used",
		"file", certPath, "sha256", CertificateFingerprint(root.cert), "until", root.cert.NotAfter)
	return nil
}

// resumeCertificate uses the certificate of the last run, so that clients that accepted it are not asked again.
func (l *localSource) resumeCertificate() {
	content, err := os.ReadFile(filepath.Join(l.folder, serverFile))
	if err != nil {
		return
	}
	if pair, err := tls.X509KeyPair(content, content); err == nil && l.root.isIssuer(pair.Leaf) {
		l.serving.Store(&pair)
	}
}

// renewCertificate issues a new certificate when the current one lacks a name or expires soon.
func (l *localSource) renewCertificate() error {
	wanted, refused := l.root.splitReach(l.reach())
	l.tellRefused(refused)
	if pair := l.serving.Load(); pair != nil && !needsRenewal(pair.Leaf, wanted, l.now()) {
		return nil
	}
	content, err := l.root.issueCertificate(wanted, l.now())
	if err != nil {
		return fmt.Errorf("tls: make a certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(content, content)
	if err != nil {
		return fmt.Errorf("tls: make a certificate: %w", err)
	}
	l.serving.Store(&pair)
	l.log.Info("a TLS certificate was made", "names", CertificateNames(pair.Leaf), "until", pair.Leaf.NotAfter)
	if err := renameio.WriteFile(filepath.Join(l.folder, serverFile), content, 0o600); err != nil {
		return fmt.Errorf("tls: keep the certificate: %w", err)
	}
	return nil
}

// tellRefused logs once which names the root's constraints do not permit.
func (l *localSource) tellRefused(names []string) {
	if text := fmt.Sprint(names); len(names) > 0 && text != l.refused {
		l.refused = text
		l.log.Warn("the local CA's root does not permit these names; remove its folder and restart to create "+
			"one that does, and install that", "names", names, "folder", l.folder)
	}
}

// TLSConfig implements [CertificateSource].
func (l *localSource) TLSConfig() *tls.Config {
	return newTLSConfig(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return l.serving.Load(), nil })
}

// Run implements [CertificateSource].
func (l *localSource) Run(ctx context.Context) error {
	return runPeriodically(ctx, renewEvery, func() {
		if err := l.renewCertificate(); err != nil {
			l.log.Warn("the TLS certificate could not be renewed; retrying in a minute", "err", err)
		}
	})
}

// HandleChallenge implements [CertificateSource].
func (*localSource) HandleChallenge(next http.Handler) http.Handler { return next }

// CurrentCertificate implements [CertificateSource].
func (l *localSource) CurrentCertificate() *tls.Certificate { return l.serving.Load() }

// RootPEM implements [CertificateSource].
func (l *localSource) RootPEM() []byte { return l.root.certificatePEM() }

// pemBlock encodes one certificate as PEM.
func pemBlock(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}
