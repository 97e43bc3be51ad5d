package tlscert

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"
)

// pollInterval is the interval at which files are checked for changes.
const pollInterval = 3 * time.Second

// fileSource is a certificate and key in the operator's files.
type fileSource struct {
	cert, key string
	log       *slog.Logger
	seen      pairFiles // content at the last check, valid or not
	fault     string    // last logged fault
	serving   atomic.Pointer[tls.Certificate]
	warner    expiryWarner
}

// NewFileSource returns the certificate in these files. It must be valid now: the error names the fault.
func NewFileSource(cert, key string, log *slog.Logger) (CertificateSource, error) {
	read, err := readPair(cert, key)
	if err != nil {
		return nil, err
	}
	pair, err := read.parsePair(cert, key)
	if err != nil {
		return nil, err
	}
	if err := verifyValidity(pair.Leaf, time.Now()); err != nil {
		return nil, fmt.Errorf("tls-cert: the certificate in %s %w", cert, err)
	}
	f := &fileSource{cert: cert, key: key, log: log, seen: read, warner: expiryWarner{log: log}}
	f.serving.Store(pair)
	return f, nil
}

// TLSConfig implements [CertificateSource].
func (f *fileSource) TLSConfig() *tls.Config {
	return newTLSConfig(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.serving.Load(), nil })
}

// Run implements [CertificateSource].
func (f *fileSource) Run(ctx context.Context) error {
	return runPeriodically(ctx, pollInterval, func() {
		f.reloadIfChanged(time.Now())
		f.warner.checkExpiry(f.serving.Load().Leaf, time.Now())
	})
}

// reloadIfChanged loads a pair that changed. Contents are compared, not modification times: a file that was moved
// into place may be older than the previous one.
func (f *fileSource) reloadIfChanged(now time.Time) {
	read, err := readPair(f.cert, f.key)
	if err != nil {
		f.logFaultOnce(err)
		return
	}
	if read.equalPair(f.seen) {
		f.fault = ""
		return
	}
	f.seen = read
	pair, err := read.parsePair(f.cert, f.key)
	if err == nil && verifyValidity(f.serving.Load().Leaf, now) == nil {
		err = verifyValidity(pair.Leaf, now)
	}
	if err != nil {
		f.logFaultOnce(err)
		return
	}
	f.fault = ""
	f.serving.Store(pair)
	f.log.Info("a new TLS certificate serves", "names", CertificateNames(pair.Leaf), "until", pair.Leaf.NotAfter.UTC())
}

// logFaultOnce logs a fault once. A pair that is being replaced may be inconsistent for a moment.
func (f *fileSource) logFaultOnce(err error) {
	if f.fault == err.Error() {
		return
	}
	f.fault = err.Error()
	f.log.Warn("the new TLS certificate cannot be used; the old one stays in use", "err", err)
}

// HandleChallenge implements [CertificateSource].
func (*fileSource) HandleChallenge(next http.Handler) http.Handler { return next }

// CurrentCertificate implements [CertificateSource].
func (f *fileSource) CurrentCertificate() *tls.Certificate { return f.serving.Load() }

// RootPEM implements [CertificateSource].
func (*fileSource) RootPEM() []byte { return nil }
