package page

import (
	"munadi/ui/shell"
	"munadi/ui/text"
)

// Certificate is the page that offers the local authority's root certificate.
type Certificate struct {
	shell.ConsolePage
	Name        string // empty: there is no such authority
	Until       string // a day
	Fingerprint string
	File        string // where it is downloaded
}

func (p Certificate) words() text.Certificate { return text.CertificateIn(p.Lang) }
