package tlscert

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// pollInterval is the interval at which files are checked for changes.
const pollInterval = 3 * time.Second

// fileSource is a certificate and key in the operator's files.
type fileSource struct {
	files   PairSettings
	log     *slog.Logger
	seen    pairFiles // content at the last check, valid or not
	fault   string    // last logged fault
	serving atomic.Pointer[tls.Certificate]
	warner  expiryWarner
}

// NewFileSource returns the certificate in these files. It must be valid now: the error names the fault.
func NewFileSource(cert, key string, log *slog.Logger) (CertificateSource, error) {
	files := PairSettings{"tls-cert", cert, "tls-key", key}
	read, err := files.readPair()
	if err != nil {
		return nil, err
	}
	pair, err := files.parsePair(read)
	if err != nil {
		return nil, err
	}
	if err := verifyValidity(pair.Leaf, time.Now()); err != nil {
		return nil, fmt.Errorf("tls-cert: the certificate in %s %w", cert, err)
	}
	f := &fileSource{files: files, log: log, seen: read, warner: expiryWarner{log: log}}
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
	read, err := f.files.readPair()
	if err != nil {
		f.logFaultOnce(err)
		return
	}
	if read.equalPair(f.seen) {
		f.fault = ""
		return
	}
	f.seen = read
	pair, err := f.files.parsePair(read)
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

// pairFiles holds the content of certificate and key files.
type pairFiles struct{ cert, key []byte }

func (p pairFiles) equalPair(other pairFiles) bool {
	return bytes.Equal(p.cert, other.cert) && bytes.Equal(p.key, other.key)
}

// PairSettings are the settings of a certificate and of its key, with their files. Errors begin with the setting that
// is at fault.
type PairSettings struct{ CertSetting, Cert, KeySetting, Key string }

// LoadPair reads and parses certificate and key. The error names the invalid file and the remedy.
func (f PairSettings) LoadPair() (*tls.Certificate, error) {
	read, err := f.readPair()
	if err != nil {
		return nil, err
	}
	return f.parsePair(read)
}

// CheckPair is LoadPair that also checks whether the certificate is valid now.
func (f PairSettings) CheckPair() error {
	pair, err := f.LoadPair()
	if err != nil {
		return err
	}
	if err := verifyValidity(pair.Leaf, time.Now()); err != nil {
		return fmt.Errorf("%s: the certificate in %s %w", f.CertSetting, f.Cert, err)
	}
	return nil
}

// readPair reads both files. Its errors name the remedy.
func (f PairSettings) readPair() (p pairFiles, err error) {
	if p.cert, err = readFile(f.CertSetting, f.Cert); err != nil {
		return p, err
	}
	p.key, err = readFile(f.KeySetting, f.Key)
	return p, err
}

func readFile(setting, path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: user %d may not read %s: give it the right to (chgrp and chmod g+r), or a copy",
			setting, os.Getuid(), path)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no file %s", setting, path)
	case errors.Is(err, syscall.EISDIR):
		return nil, fmt.Errorf("%s: %s is a folder, not a file", setting, path)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return content, nil
}

// parsePair parses certificate and key; the error names the invalid file and the remedy.
func (f PairSettings) parsePair(p pairFiles) (*tls.Certificate, error) {
	inCert, inKey := pemBlockTypes(p.cert), pemBlockTypes(p.key)
	switch {
	case !inCert["CERTIFICATE"] && inKey["CERTIFICATE"] && holdsKey(inCert):
		return nil, fmt.Errorf("%s %s holds the key and %s %s the certificate: exchange them",
			f.CertSetting, f.Cert, f.KeySetting, f.Key)
	case !inCert["CERTIFICATE"]:
		return nil, fmt.Errorf("%s: %s holds no certificate in PEM (-----BEGIN CERTIFICATE-----)", f.CertSetting, f.Cert)
	case inKey["ENCRYPTED PRIVATE KEY"] || bytes.Contains(p.key, []byte("Proc-Type: 4,ENCRYPTED")):
		return nil, fmt.Errorf("%s: %s is locked by a passphrase; write it without: openssl pkey -in %s -out NEW",
			f.KeySetting, f.Key, f.Key)
	case !holdsKey(inKey):
		return nil, fmt.Errorf("%s: %s holds no private key in PEM (-----BEGIN PRIVATE KEY-----)", f.KeySetting, f.Key)
	}
	pair, err := tls.X509KeyPair(p.cert, p.key)
	if err != nil && strings.Contains(err.Error(), "does not match") {
		return nil, fmt.Errorf("%s %s is not the key of the certificate in %s %s: take both from the same order",
			f.KeySetting, f.Key, f.CertSetting, f.Cert)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s, %s %s: one of them is damaged, or of a kind that TLS does not know",
			f.CertSetting, f.Cert, f.KeySetting, f.Key)
	}
	return &pair, nil
}

// pemBlockTypes returns the types of a file's PEM blocks.
func pemBlockTypes(content []byte) map[string]bool {
	found := map[string]bool{}
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		found[block.Type] = true
	}
	return found
}

func holdsKey(kinds map[string]bool) bool {
	for kind := range kinds {
		if strings.HasSuffix(kind, "PRIVATE KEY") {
			return true
		}
	}
	return false
}
