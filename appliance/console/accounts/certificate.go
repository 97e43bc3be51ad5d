package accounts

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"munadi/appliance/console/kit"
	"munadi/appliance/httpserver/preferences"
	"munadi/appliance/tlscert"
	"munadi/ui/accounts"
)

// showCertificate shows how to install the root certificate; without sign-in, since a safe sign-in needs it.
func (s handlers) showCertificate(c echo.Context) error {
	p := accounts.CertificateView{
		ConsolePage: s.VisitorFrame(c, accounts.CertificateTitle.In(preferences.PreferredLanguage(c))),
		File:        kit.Root + "/certificate/munadi.crt",
	}
	if root := s.RootCertificate(); root != nil {
		p.Name, p.Until = root.Subject.CommonName, root.NotAfter.Format(time.DateOnly)
		p.Fingerprint = tlscert.CertificateFingerprint(root)
	}
	return kit.RenderPage(c, http.StatusOK, accounts.CertificatePage(p))
}

// downloadRootCertificate sends the root certificate with the media type that operating systems offer to install.
func (s handlers) downloadRootCertificate(c echo.Context) error {
	root := s.RootCertificate()
	if root == nil {
		return echo.ErrNotFound
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="munadi.crt"`)
	return c.Blob(http.StatusOK, "application/x-x509-ca-cert", s.Certificate().RootPEM())
}
