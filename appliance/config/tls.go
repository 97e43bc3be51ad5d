package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"munadi/store/alert"
)

// The sources of the listener's TLS certificate, as the setting tls names them.
const (
	TLSAuto  = "auto" // files if tls-cert is set, else none
	TLSNone  = "none"
	TLSLocal = "local"
	TLSACME  = "acme"
	tlsFiles = "files" // auto with files
)

// NetworkList is a list of IP networks (CIDR) or addresses, separated by commas or spaces. It is a comparable type,
// as those of all settings.
type NetworkList string

// UnmarshalText parses 10.0.0.0/8,192.0.2.7,fd00::/8.
func (n *NetworkList) UnmarshalText(text []byte) error {
	var all []string
	for _, one := range splitList(string(text)) {
		prefix, err := netip.ParsePrefix(one)
		if address, alone := netip.ParseAddr(one); err != nil && alone == nil {
			prefix, err = address.Unmap().Prefix(address.Unmap().BitLen())
		}
		if err != nil {
			return fmt.Errorf("%q is not a network (such as 10.0.0.0/8 or 192.0.2.7)", one)
		}
		all = append(all, prefix.Masked().String())
	}
	*n = NetworkList(strings.Join(all, ","))
	return nil
}

// Prefixes returns the networks.
func (n NetworkList) Prefixes() (all []netip.Prefix) {
	for _, one := range splitList(string(n)) {
		if prefix, err := netip.ParsePrefix(one); err == nil {
			all = append(all, prefix)
		}
	}
	return all
}

// splitList splits a text at commas and spaces.
func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// CertificateMode returns the source of the listener's certificate: files, [TLSLocal], [TLSACME] or [TLSNone].
func (c *Config) CertificateMode() string {
	switch {
	case c.TLS != TLSAuto:
		return c.TLS
	case c.TLSCert != "":
		return tlsFiles
	default:
		return TLSNone
	}
}

// UsesTLS reports whether the listener uses TLS.
func (c *Config) UsesTLS() bool { return c.CertificateMode() != TLSNone }

// CertificateDomains returns the domains for the ACME certificate: those of acme-domains, else the public URL's host.
func (c *Config) CertificateDomains() []string {
	if named := splitList(strings.ToLower(c.ACMEDomains)); len(named) > 0 {
		return named
	}
	if host := c.PublicHost(); host != "" {
		return []string{host}
	}
	return nil
}

// PublicHost returns the host of the public URL; empty without one.
func (c *Config) PublicHost() string {
	u, err := url.Parse(c.PublicURL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// tlsChecks returns the faults of the single settings of the listener's certificate.
func (c *Config) tlsChecks() map[string]error {
	all := map[string]error{"acme-directory": checkWebAddress(c.ACMEDirectory)}
	if c.ACMEEmail != "" {
		all["acme-email"] = alert.CheckAddress(c.ACMEEmail)
	}
	if c.Redirect != "" {
		all["redirect"] = new(ListenAddress).UnmarshalText([]byte(c.Redirect))
	}
	return all
}

// jointTLSChecks returns the faults of settings of the listener's certificate that do not belong together.
func (c *Config) jointTLSChecks() []jointCheck {
	return []jointCheck{
		{"tls", []string{"public-url", "tls-cert", "tls-key"}, c.checkTLS()},
		{"tls-cert", []string{"tls", "tls-key"}, c.checkPair(c.TLSCert, c.TLSKey, "tls-key")},
		{"tls-key", []string{"tls", "tls-cert"}, c.checkPair(c.TLSKey, c.TLSCert, "tls-cert")},
		{"acme-domains", []string{"tls", "public-url"}, c.checkDomains()},
		{"redirect", []string{"tls", "tls-cert", "tls-key", "listen"}, c.checkRedirect()},
	}
}

func (c *Config) checkTLS() error {
	if c.UsesTLS() && strings.HasPrefix(c.PublicURL, "http:") {
		return errors.New("the listener uses TLS, but public-url is not https")
	}
	return nil
}

// checkPair accepts certificate and key together or none, and no other certificate source with them.
func (c *Config) checkPair(file, other, name string) error {
	switch {
	case file != "" && other == "":
		return fmt.Errorf("%s is missing: certificate and key must be set together", name)
	case file != "" && c.TLS != TLSAuto:
		return fmt.Errorf("cannot be combined with tls %s; remove one of them", c.TLS)
	}
	return nil
}

// checkDomains accepts domain names for which a public CA issues certificates.
func (c *Config) checkDomains() error {
	if c.TLS != TLSACME {
		return nil
	}
	if len(c.CertificateDomains()) == 0 {
		return errors.New("a public CA needs a domain name: set it, or public-url")
	}
	for _, domain := range c.CertificateDomains() {
		if _, err := netip.ParseAddr(domain); err == nil || !strings.Contains(strings.Trim(domain, "."), ".") ||
			strings.ContainsAny(domain, "/:*") {
			return fmt.Errorf("%q is not a name that a public CA certifies (such as calls.example.com)", domain)
		}
	}
	return nil
}

// checkRedirect accepts a listen address other than the listener's, and only with TLS.
func (c *Config) checkRedirect() error {
	if c.Redirect == "" {
		return nil
	}
	if !c.UsesTLS() {
		return errors.New("there is no HTTPS to redirect to; set tls as well")
	}
	_, ours, _ := net.SplitHostPort(string(c.Listen))
	if _, port, _ := net.SplitHostPort(c.Redirect); port == ours && port != "0" {
		return fmt.Errorf("port %s is that of listen; plain HTTP needs another port", port)
	}
	return nil
}
