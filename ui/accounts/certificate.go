package accounts

import (
	"munadi/ui/layout"
)

// CertificateView is the page that offers the local authority's root certificate.
type CertificateView struct {
	layout.ConsolePage
	Name        string // empty: there is no such authority
	Until       string // a day
	Fingerprint string
	File        string // where it is downloaded
}
