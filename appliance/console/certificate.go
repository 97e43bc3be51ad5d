package console

import (
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/tlscert"
	"munadi/ui/accounts"
	"munadi/ui/locale"
)

// rootCertificate returns the local CA's root certificate; nil without a local CA.
func (s *ConsoleService) rootCertificate() *x509.Certificate {
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

// showCertificate shows how to install the root certificate; without sign-in, since a safe sign-in needs it.
func (s *ConsoleService) showCertificate(c echo.Context) error {
	p := accounts.CertificateView{
		ConsolePage: s.VisitorFrame(c, accounts.CertificateTitle.In(preferences.PreferredLanguage(c))),
		File:        kit.Root + "/certificate/munadi.crt",
	}
	if root := s.rootCertificate(); root != nil {
		p.Name, p.Until = root.Subject.CommonName, root.NotAfter.Format(time.DateOnly)
		p.Fingerprint = tlscert.CertificateFingerprint(root)
	}
	return kit.RenderPage(c, http.StatusOK, accounts.CertificatePage(p))
}

// downloadRootCertificate sends the root certificate with the media type that operating systems offer to install.
func (s *ConsoleService) downloadRootCertificate(c echo.Context) error {
	root := s.rootCertificate()
	if root == nil {
		return echo.ErrNotFound
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="munadi.crt"`)
	return c.Blob(http.StatusOK, "application/x-x509-ca-cert", s.Certificate().RootPEM())
}

// describeEncryption describes the listener's TLS.
func (s *ConsoleService) describeEncryption(l locale.Language) string {
	if s.Certificate == nil || s.Certificate() == nil {
		return accounts.CertificateOff.In(l)
	}
	leaf := tlscert.LeafCertificate(s.Certificate())
	if leaf == nil {
		return "TLS"
	}
	return "TLS · " + accounts.CertificateUntil.In(l) + " " + leaf.NotAfter.Format(time.DateOnly)
}
