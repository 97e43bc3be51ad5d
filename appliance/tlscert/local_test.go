package tlscert_test

import (
	"crypto/x509"
	"encoding/pem"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/appliance/tlscert"
)

// fakeMachine is one whose names and clock a test sets.
type fakeMachine struct {
	folder string
	reach  tlscert.HostNames
	now    time.Time
}

func newMachine(t *testing.T) *fakeMachine {
	t.Helper()
	return &fakeMachine{
		folder: filepath.Join(t.TempDir(), "tls"), now: time.Now(),
		reach: tlscert.HostNames{
			Hosts:     []string{"localhost", "box", "calls.example.com"},
			Addresses: []netip.Addr{netip.MustParseAddr("192.168.1.7"), netip.MustParseAddr("203.0.113.9"), netip.MustParseAddr("::1")},
		},
	}
}

// startAuthority is the authority as a start of the appliance has it, and what the log said.
func (m *fakeMachine) startAuthority(t *testing.T) (tlscert.CertificateSource, string) {
	t.Helper()
	log, book := newLogger()
	s, err := tlscert.NewLocalSource(m.folder, func() tlscert.HostNames { return m.reach }, func() time.Time { return m.now }, log)
	if err != nil {
		t.Fatal(err)
	}
	return s, book.String()
}

// TestLocalAuthorityIsOneForStrangers: OpenSSL follows the chain for every name of the machine, strictly.
func TestLocalAuthorityIsOneForStrangers(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	s, said := m.startAuthority(t)
	root := filepath.Join(m.folder, "root.crt")
	if string(readFile(t, root)) != string(s.RootPEM()) || !strings.Contains(said, tlscert.CertificateFingerprint(parseCertificate(t, s.RootPEM()))) {
		t.Errorf("the root is not the file's, or the log lacks its fingerprint:\n%s", said)
	}
	server := filepath.Join(m.folder, "server.pem")
	for _, name := range []string{"localhost", "box", "calls.example.com"} {
		runOpenSSL(t, m.folder, "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", name, "-CAfile", root, server)
	}
	for _, ip := range []string{"192.168.1.7", "203.0.113.9", "::1"} {
		runOpenSSL(t, m.folder, "verify", "-x509_strict", "-purpose", "sslserver", "-verify_ip", ip, "-CAfile", root, server)
	}
	if out, err := tryOpenSSL(t, m.folder, "verify", "-verify_hostname", "other.test", "-CAfile", root, server); err == nil {
		t.Errorf("OpenSSL takes it for another host:\n%s", out)
	}
	if tlscert.IsPubliclyTrusted(s, m.now) {
		t.Error("a local certificate counts as one that browsers trust")
	}
}

// TestRootMayVouchForNothingElse: even with the root's key a certificate for another name is refused.
func TestRootMayVouchForNothingElse(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.startAuthority(t)
	for name, good := range map[string]bool{
		"DNS:bank.example": false, "IP:198.51.100.1": false, "DNS:com": false,
		"DNS:printer.local": true, "DNS:www.calls.example.com": true, "IP:10.9.8.7": true,
	} {
		runOpenSSL(t, m.folder, "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
			"-subj", "/O=Forged", "-addext", "subjectAltName="+name, "-keyout", "forged.key", "-out", "forged.csr")
		runOpenSSL(t, m.folder, "x509", "-req", "-in", "forged.csr", "-CA", "root.crt", "-CAkey", "root.key",
			"-copy_extensions", "copy", "-days", "5", "-out", "forged.crt")
		out, err := tryOpenSSL(t, m.folder, "verify", "-CAfile", "root.crt", "forged.crt")
		if (err == nil) != good {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

func TestLocalSecretsAreForTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.startAuthority(t)
	modes := map[string]os.FileMode{".": 0o700, "root.crt": 0o600, "root.key": 0o600, "server.pem": 0o600}
	for name, want := range modes {
		info, err := os.Stat(filepath.Join(m.folder, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", name, info, err, want)
		}
	}
}

// TestLocalCertificateIsKeptAndRenewed: the same one after a restart, another one well before its end or when the
// machine has another name; the root stays.
func TestLocalCertificateIsKeptAndRenewed(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	s, _ := m.startAuthority(t)
	root, first := string(s.RootPEM()), tlscert.LeafCertificate(s)
	if s, _ = m.startAuthority(t); !tlscert.LeafCertificate(s).Equal(first) || string(s.RootPEM()) != root {
		t.Error("a restart made another certificate")
	}
	m.reach.Addresses = append(m.reach.Addresses, netip.MustParseAddr("10.1.2.3"))
	s, _ = m.startAuthority(t)
	moved := tlscert.LeafCertificate(s)
	if !slices.Contains(tlscert.CertificateNames(moved), "10.1.2.3") || string(s.RootPEM()) != root {
		t.Errorf("the new address is missing among %v, or the root is another", tlscert.CertificateNames(moved))
	}
	m.now = moved.NotAfter.Add(-20 * 24 * time.Hour)
	s, _ = m.startAuthority(t)
	if late := tlscert.LeafCertificate(s); late.NotAfter.Sub(m.now) < 60*24*time.Hour || string(s.RootPEM()) != root {
		t.Errorf("twenty days before its end the certificate still ends at %s", late.NotAfter)
	}
}

func TestNamesBeyondTheRootAreLeftOutAndSaid(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.startAuthority(t)
	m.reach.Hosts = append(m.reach.Hosts, "shop.example.net")
	s, said := m.startAuthority(t)
	if slices.Contains(tlscert.CertificateNames(tlscert.LeafCertificate(s)), "shop.example.net") || !strings.Contains(said, "shop.example.net") {
		t.Errorf("names %v, log:\n%s", tlscert.CertificateNames(tlscert.LeafCertificate(s)), said)
	}
}

// TestDamagedAuthorityIsNotReplaced: people have installed it; only they can decide that it is gone.
func TestDamagedAuthorityIsNotReplaced(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.startAuthority(t)
	before := readFile(t, m.folder, "root.crt")
	writeFile(t, []byte("rubbish"), m.folder, "root.key")
	log, _ := newLogger()
	_, err := tlscert.NewLocalSource(m.folder, func() tlscert.HostNames { return m.reach }, time.Now, log)
	if err == nil || !strings.Contains(err.Error(), m.folder) || string(readFile(t, m.folder, "root.crt")) != string(before) {
		t.Errorf("%v", err)
	}
}

func parseCertificate(t *testing.T, content []byte) *x509.Certificate {
	t.Helper()
	block, _ := pem.Decode(content)
	if block == nil {
		t.Fatalf("no PEM: %q", content)
	}
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
