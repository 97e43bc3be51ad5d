package kit

import (
	"crypto/x509"
	"encoding/pem"
	"time"

	"munadi/appliance/tlscert"
	"munadi/ui/accounts"
	"munadi/ui/locale"
)

// RootCertificate returns the local CA's root certificate; nil without a local CA.
func (s *Console) RootCertificate() *x509.Certificate {
	if s.Certificate == nil {
		return nil
	}
	source := s.Certificate()
	if source == nil {
		return nil
	}
	block, _ := pem.Decode(source.RootPEM())
	if block == nil {
		return nil
	}
	root, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return root
}

// DescribeEncryption describes the listener's TLS.
func (s *Console) DescribeEncryption(l locale.Language) string {
	if s.Certificate == nil || s.Certificate() == nil {
		return accounts.CertificateOff.In(l)
	}
	leaf := tlscert.LeafCertificate(s.Certificate())
	if leaf == nil {
		return "TLS"
	}
	return "TLS · " + accounts.CertificateUntil.In(l) + " " + leaf.NotAfter.Format(time.DateOnly)
}
