package main

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"

	"github.com/alecthomas/kong"

	"munadi/appliance/config"
	"munadi/appliance/tlscert"
)

// TLSCmd is `munadi tls`: the local CA's certificate.
type TLSCmd struct {
	Root TLSRootCmd `cmd:"" help:"Print the local CA's root certificate, to be installed on machines that use the console; its fingerprint is printed to standard error."`
}

// TLSRootCmd is `munadi tls root`.
type TLSRootCmd struct{}

// Run prints the certificate as PEM, so that it can be redirected to a file.
func (TLSRootCmd) Run(cfg *config.Config, app *kong.Kong) error {
	content, err := tlscert.ReadRoot(tlscert.CertificateFolder(cfg.Data))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no local CA in %s; `munadi serve --tls local` creates one (is --data right?)",
			cfg.Data)
	}
	if err != nil {
		return err
	}
	root, err := parseRoot(content)
	if err != nil {
		return fmt.Errorf("%s: %w", tlscert.CertificateFolder(cfg.Data), err)
	}
	fmt.Fprintf(app.Stderr, "%s, until %s\nSHA-256 %s\n", root.Subject.CommonName, root.NotAfter.Format("2006-01-02"),
		tlscert.CertificateFingerprint(root))
	_, err = app.Stdout.Write(content)
	return err
}

func parseRoot(content []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(content)
	if block == nil {
		return nil, errors.New("the root certificate is damaged; restore it from a backup")
	}
	return x509.ParseCertificate(block.Bytes)
}
