// Package mailtest runs a mail server for tests: emersion/go-smtp with STARTTLS, TLS and sign-in, which keeps the
// messages it receives. It is the only importer of go-smtp.
package mailtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// The account at the server.
const (
	User     = "munadi"
	Password = "correct horse battery"
)

// ReceivedMail is one message.
type ReceivedMail struct {
	From, To string // of the envelope
	Raw      string
	Parsed   *mail.Message
}

// Server is a running mail server.
type Server struct {
	Port int
	CA   string // PEM file of its certificate's authority
	// Refuse returns the answer to RCPT; nil accepts. Set it before mail is sent.
	Refuse func(to string) error

	mu       sync.Mutex
	received []ReceivedMail
}

// StartServer starts a server on 127.0.0.1 until the test ends, with TLS from the start or by STARTTLS.
func StartServer(t testing.TB, implicitTLS bool) *Server {
	t.Helper()
	s := &Server{}
	certificate := s.makeCertificate(t)
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }))
	server.Domain, server.ErrorLog = "mail.example.com", log.New(io.Discard, "", 0)
	server.ReadTimeout, server.WriteTimeout, server.MaxMessageBytes = 30*time.Second, 30*time.Second, 1<<20
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Port = l.Addr().(*net.TCPAddr).Port
	if implicitTLS {
		l = tls.NewListener(l, server.TLSConfig)
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// makeCertificate makes a certificate for 127.0.0.1 that is its own authority.
func (s *Server) makeCertificate(t testing.TB) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	s.CA = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(s.CA, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// ListReceived returns the messages so far.
func (s *Server) ListReceived() []ReceivedMail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.received)
}

// session is one connection.
type session struct {
	server   *Server
	signedIn bool
	from, to string
}

// AuthMechanisms implements smtp.AuthSession.
func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

// Auth implements smtp.AuthSession.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != User || password != Password {
			return smtp.ErrAuthFailed
		}
		s.signedIn = true
		return nil
	}), nil
}

// Mail implements smtp.Session.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if !s.signedIn {
		return smtp.ErrAuthRequired
	}
	s.from = from
	return nil
}

// Rcpt implements smtp.Session.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.Refuse != nil {
		if err := s.server.Refuse(to); err != nil {
			return err
		}
	}
	s.to = to
	return nil
}

// Data implements smtp.Session.
func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	parsed, malformed := mail.ReadMessage(strings.NewReader(string(raw)))
	if err = errors.Join(err, malformed); err != nil {
		return err
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.received = append(s.server.received, ReceivedMail{From: s.from, To: s.to, Raw: string(raw), Parsed: parsed})
	return nil
}

// Reset implements smtp.Session.
func (s *session) Reset() { s.from, s.to = "", "" }

// Logout implements smtp.Session.
func (s *session) Logout() error { return nil }

// ReadText returns a message's subject and text, decoded.
func (m ReceivedMail) ReadText(t testing.TB) (subject, text string) {
	t.Helper()
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Parsed.Header.Get("Subject"))
	if err != nil {
		t.Fatal(err)
	}
	body := io.Reader(m.Parsed.Body)
	switch strings.ToLower(m.Parsed.Header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return subject, strings.ReplaceAll(string(raw), "\r\n", "\n")
}
