package kit

import (
	"crypto/x509"
	"encoding/pem"
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
