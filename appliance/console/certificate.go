package console

import (
	"crypto/x509"
	"encoding/pem"
	"net/http"

	"github.com/labstack/echo/v4"

	"munadi/appliance/certificate"
	"munadi/appliance/choice"
	"munadi/ui/page"
	"munadi/ui/text"
)

// day is how a certificate's end is written.
const day = "2006-01-02"

// root is the local authority's certificate; nil where there is no such authority.
func (s *Service) root() *x509.Certificate {
	if s.Certificate == nil {
		return nil
	}
	source := s.Certificate()
	if source == nil {
		return nil
	}
	block, _ := pem.Decode(source.Root())
	if block == nil {
		return nil
	}
	root, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return nil
	}
	return root
}

// certificate shows what to install and how; to anybody, since who needs it can't sign in safely yet.
func (s *Service) certificate(c echo.Context) error {
	p := page.Certificate{
		ConsolePage: s.outside(c, text.CertificateIn(choice.Language(c)).Title), File: Root + "/certificate/munadi.crt",
	}
	if root := s.root(); root != nil {
		p.Name, p.Until = root.Subject.CommonName, root.NotAfter.Format(day)
		p.Fingerprint = certificate.Fingerprint(root)
	}
	return show(c, http.StatusOK, page.CertificatePage(p))
}

// rootFile sends the root certificate under the type that systems offer to install.
func (s *Service) rootFile(c echo.Context) error {
	root := s.root()
	if root == nil {
		return echo.ErrNotFound
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="munadi.crt"`)
	return c.Blob(http.StatusOK, "application/x-x509-ca-cert", s.Certificate().Root())
}

// encrypted says how the listener encrypts.
func (s *Service) encrypted(l text.Lang) string {
	w := text.CertificateIn(l)
	if s.Certificate == nil || s.Certificate() == nil {
		return w.Off
	}
	leaf := certificate.Leaf(s.Certificate())
	if leaf == nil {
		return "TLS"
	}
	return "TLS · " + w.Until + " " + leaf.NotAfter.Format(day)
}
