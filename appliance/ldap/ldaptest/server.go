// Package ldaptest runs OpenLDAP's slapd with a small company in it, for tests.
package ldaptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-ldap/ldap/v3"

	"munadi/appliance/config"
	"munadi/store/freeport"
)

// The account that searches, and its password.
const (
	Searcher = "cn=munadi,dc=example,dc=com"
	Password = "secret of the directory"
)

// Server is a slapd that ends with the test.
type Server struct {
	Plain, Secure, CA string // addresses ldap:// and ldaps://, PEM file of the authority
	t                 testing.TB
	folder            string
}

// settings is slapd.conf; %[1]s is the folder.
const settings = `include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile %[1]s/pid
TLSCertificateFile %[1]s/cert.pem
TLSCertificateKeyFile %[1]s/key.pem
TLSCACertificateFile %[1]s/cert.pem
allow bind_anon_cred bind_anon_dn
database mdb
maxsize 16777216
suffix "dc=example,dc=com"
rootdn "cn=admin,dc=example,dc=com"
rootpw "` + Password + `"
directory %[1]s
access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="ou=groups,dc=example,dc=com" by dn.exact="` + Searcher + `" read by * none
access to * by dn.exact="` + Searcher + `" read by * auth
`

// company is the directory's content beside its people and groups.
const company = `dn: dc=example,dc=com
objectClass: domain
dc: example

dn: ou=people,dc=example,dc=com
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=example,dc=com
objectClass: organizationalUnit
ou: groups

dn: ou=elsewhere,dc=example,dc=com
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://127.0.0.1:1/dc=elsewhere

dn: ` + Searcher + `
objectClass: applicationProcess
objectClass: simpleSecurityObject
cn: munadi
userPassword: ` + Password + `

`

// StartServer starts slapd; without it the test is skipped, or fails in CI.
func StartServer(t testing.TB) *Server {
	t.Helper()
	if _, err := os.Stat("/usr/sbin/slapd"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no slapd: packaging/setup test")
		}
		t.Skip("no slapd: packaging/setup test")
	}
	s := &Server{t: t, folder: t.TempDir()}
	s.CA = filepath.Join(s.folder, "cert.pem")
	s.makeCertificate()
	content := company
	for _, name := range []string{"amal", "badr", "dalal", "twin", "outsider"} {
		content += FormatPerson(name, name)
	}
	content += FormatPerson("second-twin", "twin")
	for name, member := range map[string]string{"admins": "amal", "staff": "badr", "clinic": "dalal"} {
		content += fmt.Sprintf("dn: cn=%s,ou=groups,dc=example,dc=com\nobjectClass: groupOfNames\ncn: %[1]s\nmember: %s\n\n",
			name, FormatDN(member))
	}
	s.write("slapd.conf", fmt.Sprintf(settings, s.folder))
	s.write("company.ldif", content)
	load := exec.Command("/usr/sbin/slapadd", "-f", s.path("slapd.conf"), "-l", s.path("company.ldif"))
	if out, err := load.CombinedOutput(); err != nil {
		t.Fatalf("slapadd: %v\n%s", err, out)
	}
	for range 4 { // another process may take a port in between
		if s.run() {
			return s
		}
	}
	t.Fatal("slapd did not start")
	return nil
}

// FormatDN returns the distinguished name of a person.
func FormatDN(cn string) string { return "cn=" + cn + ",ou=people,dc=example,dc=com" }

// FormatPerson returns a person in LDIF, whose password is [PasswordOf] uid.
func FormatPerson(cn, uid string) string {
	return fmt.Sprintf("dn: %s\nobjectClass: inetOrgPerson\ncn: %s\nsn: %s\nuid: %s\nmail: %s@example.com\n"+
		"userPassword: %s\n\n", FormatDN(cn), cn, cn, uid, uid, PasswordOf(uid))
}

// PasswordOf returns a person's password.
func PasswordOf(uid string) string { return uid + " " + Password }

// Settings returns the settings of an appliance that asks the server by ldaps.
func (s *Server) Settings() *config.Config {
	c := config.Default()
	c.LDAPURL, c.LDAPCA, c.LDAPBindDN, c.LDAPBindPassword = s.Secure, s.CA, Searcher, Password
	c.LDAPBase, c.LDAPRoles = "dc=example,dc=com", "admins=owner,staff=operator,clinic=viewer@clinic"
	return c
}

// Change changes the directory, as its administrator.
func (s *Server) Change(do func(*ldap.Conn) error) {
	s.t.Helper()
	c, err := ldap.DialURL(s.Plain)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if err := c.Bind("cn=admin,dc=example,dc=com", Password); err != nil {
		s.t.Fatal(err)
	}
	if err := do(c); err != nil {
		s.t.Fatal(err)
	}
}

func (s *Server) path(name string) string { return filepath.Join(s.folder, name) }

func (s *Server) write(name, content string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(content), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// run starts slapd on two free ports and waits until it answers; false if it ends before.
func (s *Server) run() bool {
	ports, err := freeport.FindPorts(2)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Plain, s.Secure = fmt.Sprintf("ldap://127.0.0.1:%d", ports[0]), fmt.Sprintf("ldaps://127.0.0.1:%d", ports[1])
	cmd := exec.Command("/usr/sbin/slapd", "-d", "0", "-f", s.path("slapd.conf"), "-h", s.Plain+"/ "+s.Secure+"/")
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	s.t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
	retry := time.NewTicker(20 * time.Millisecond)
	defer retry.Stop()
	for {
		if s.isListening(ports) {
			return true
		}
		select {
		case <-ended:
			s.t.Logf("slapd: %s", out.String())
			return false
		case <-retry.C:
		}
	}
}

// isListening reports whether slapd answers at both ports: it opens one after the other.
func (s *Server) isListening(ports []int) bool {
	for _, port := range ports {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return false
		}
		_ = c.Close()
	}
	return true
}

// makeCertificate makes a certificate for 127.0.0.1 that is its own authority.
func (s *Server) makeCertificate() {
	s.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		s.t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	s.write("key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})))
}
