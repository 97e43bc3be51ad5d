package tlscert

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	rootLife = 10 * 365 * 24 * time.Hour
	// leafLife is the validity of server certificates, below the limit of all browsers and phones (825 days for a
	// private CA).
	leafLife  = 90 * 24 * time.Hour
	leafRenew = 30 * 24 * time.Hour // before expiry
	// skew is how far clients' clocks may be behind.
	skew = time.Hour
)

// localAuthority is a private CA that signs server certificates.
type localAuthority struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// newAuthority creates a CA that may sign for private names and networks, and for the names and addresses in reach
// only (name constraints).
func newAuthority(host string, reach HostNames, now time.Time) (*localAuthority, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		Subject:   pkix.Name{Organization: []string{"Munadi"}, CommonName: "Munadi on " + host},
		NotBefore: now.Add(-skew), NotAfter: now.Add(rootLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage:                    x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		PermittedDNSDomainsCritical: true,
		PermittedDNSDomains:         slices.Concat(privateNames(), reach.Hosts),
		PermittedIPRanges:           privateNetworks(),
	}
	for _, address := range reach.Addresses {
		one := &net.IPNet{IP: address.AsSlice(), Mask: net.CIDRMask(address.BitLen(), address.BitLen())}
		template.PermittedIPRanges = append(template.PermittedIPRanges, one)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, nil, err
	}
	encoded, err := encodePrivateKey(key)
	return &localAuthority{cert, key}, encoded, err
}

// privateNames returns domains that do not exist on the internet: RFC 6761, 6762, 8375, and ICANN's internal.
func privateNames() []string {
	return []string{"localhost", "local", "home.arpa", "internal", "lan"}
}

// privateNetworks returns loopback and private networks (RFC 1918, 4193), and carriers' shared address space (RFC
// 6598).
func privateNetworks() (all []*net.IPNet) {
	for _, text := range []string{
		"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "::1/128", "fc00::/7",
	} {
		_, network, _ := net.ParseCIDR(text) // no literal fails
		all = append(all, network)
	}
	return all
}

// authorityOf returns the CA of a certificate with its key.
func authorityOf(pair *tls.Certificate) (*localAuthority, error) {
	key, ok := pair.PrivateKey.(crypto.Signer)
	if !ok || !pair.Leaf.IsCA {
		return nil, errors.New("it is no authority")
	}
	return &localAuthority{pair.Leaf, key}, nil
}

func (a *localAuthority) certificatePEM() []byte { return pemBlock(a.cert) }

// splitReach divides reach into what the root's name constraints permit and what they do not.
func (a *localAuthority) splitReach(reach HostNames) (allowed HostNames, refused []string) {
	for _, host := range reach.Hosts {
		if slices.ContainsFunc(a.cert.PermittedDNSDomains, func(domain string) bool {
			return host == domain || strings.HasSuffix(host, "."+domain)
		}) {
			allowed.Hosts = append(allowed.Hosts, host)
		} else {
			refused = append(refused, host)
		}
	}
	for _, address := range reach.Addresses {
		if slices.ContainsFunc(a.cert.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(address.AsSlice()) }) {
			allowed.Addresses = append(allowed.Addresses, address)
		} else {
			refused = append(refused, address.String())
		}
	}
	return allowed, refused
}

// issueCertificate issues a server certificate and returns it with its key, as PEM.
func (a *localAuthority) issueCertificate(reach HostNames, now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	until := now.Add(leafLife)
	if a.cert.NotAfter.Before(until) {
		until = a.cert.NotAfter
	}
	template := &x509.Certificate{
		Subject:   pkix.Name{Organization: []string{"Munadi"}},
		NotBefore: now.Add(-skew), NotAfter: until, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: reach.Hosts,
	}
	for _, address := range reach.Addresses {
		template.IPAddresses = append(template.IPAddresses, address.AsSlice())
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	encoded, err := encodePrivateKey(key)
	return slices.Concat(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), encoded), err
}

// isIssuer reports whether this CA signed a certificate.
func (a *localAuthority) isIssuer(leaf *x509.Certificate) bool {
	return leaf.CheckSignatureFrom(a.cert) == nil
}

// needsRenewal reports whether a certificate lacks a name or address, or expires soon.
func needsRenewal(leaf *x509.Certificate, wanted HostNames, now time.Time) bool {
	names := CertificateNames(leaf)
	for _, host := range wanted.Hosts {
		if !slices.Contains(names, host) {
			return true
		}
	}
	for _, address := range wanted.Addresses {
		if !slices.Contains(names, address.String()) {
			return true
		}
	}
	return leaf.NotAfter.Sub(now) < leafRenew || now.Before(leaf.NotBefore)
}

// encodePrivateKey encodes a private key as PEM.
func encodePrivateKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), err
}

// CertificateFingerprint returns a certificate's SHA-256 fingerprint in hexadecimal with colons.
func CertificateFingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	return strings.ReplaceAll(fmt.Sprintf("% X", sum[:]), " ", ":")
}

// HostNames holds the names and addresses by which others reach this machine.
type HostNames struct {
	Hosts     []string
	Addresses []netip.Addr
}

// MachineHostNames returns the names and addresses of this machine, after known ones from the settings.
func MachineHostNames(known ...string) HostNames {
	var r HostNames
	for _, host := range known {
		r.addHost(host)
	}
	if name, err := os.Hostname(); err == nil {
		r.addHost(name)
		if !strings.Contains(name, ".") {
			r.addHost(name + ".local") // mDNS name
		}
	}
	r.addHost("localhost")
	for _, address := range ownAddresses() {
		r.addAddress(address)
	}
	return r
}

// addHost adds a host: an address, or a valid name.
func (r *HostNames) addHost(host string) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if address, err := netip.ParseAddr(host); err == nil {
		r.addAddress(address)
		return
	}
	if isPossibleHostName(host) && !slices.Contains(r.Hosts, host) {
		r.Hosts = append(r.Hosts, host)
	}
}

// addAddress adds an address, unless it is unspecified or link-local, which is not used in URLs.
func (r *HostNames) addAddress(address netip.Addr) {
	address = address.Unmap().WithZone("")
	if address.IsUnspecified() || address.IsLinkLocalUnicast() || slices.Contains(r.Addresses, address) {
		return
	}
	r.Addresses = append(r.Addresses, address)
}

// isPossibleHostName reports whether a text is valid as a host name in a certificate.
func isPossibleHostName(name string) bool {
	const signs = "abcdefghijklmnopqrstuvwxyz0123456789-."
	return strings.Trim(name, signs) == "" && len(name) <= 253 && !strings.Contains(name, "..") &&
		name != "" && name[0] != '.' && name[0] != '-'
}

// ownAddresses returns the addresses of this machine's interfaces, loopback last.
func ownAddresses() []netip.Addr {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	}
	var found []netip.Addr
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			found = append(found, p.Addr().Unmap())
		}
	}
	slices.SortStableFunc(found, func(a, b netip.Addr) int { return rankAddress(a) - rankAddress(b) })
	return found
}

// rankAddress returns the sort order for people: IPv4, then IPv6, then loopback.
func rankAddress(a netip.Addr) int {
	switch {
	case a.IsLoopback():
		return 2
	case a.Is6():
		return 1
	}
	return 0
}
