package syslog_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"munadi/appliance/syslog"
)

// awaitUnread waits until the kernel holds data of a connection, and leaves it unread.
func awaitUnread(t *testing.T, c *net.TCPConn) {
	t.Helper()
	raw, err := c.SyscallConn()
	if err == nil {
		err = raw.Read(func(fd uintptr) bool {
			n, _, err := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK)
			return n > 0 || err == nil // at the end, too
		})
	}
	if err != nil {
		t.Error(err)
	}
}

// TestServerRefusesLate checks servers that end a connection in order without having read the entries, at any time: the
// entries do not count as read. With TLS it is how they refuse a client certificate.
func TestServerRefusesLate(t *testing.T) {
	t.Parallel()
	identity := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(identity.Close)
	authority := x509.NewCertPool()
	authority.AddCert(identity.Certificate())
	for network, secured := range map[string]bool{"TCP": false, "TLS": true} {
		for when, refuse := range map[string]func(*net.TCPConn){
			"at once": func(*net.TCPConn) {}, "when the entries have arrived": func(c *net.TCPConn) { awaitUnread(t, c) },
		} {
			t.Run(network+" "+when, func(t *testing.T) {
				t.Parallel()
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				done := make(chan struct{})
				go func() {
					defer close(done)
					for {
						plain, err := l.Accept()
						if err != nil {
							return
						}
						c := plain
						if secured {
							c = tls.Server(plain, &tls.Config{Certificates: identity.TLS.Certificates, MinVersion: tls.VersionTLS13})
							if err := c.(*tls.Conn).Handshake(); err != nil {
								t.Error(err)
							}
						}
						refuse(plain.(*net.TCPConn))
						_ = c.Close()
					}
				}()
				t.Cleanup(func() {
					_ = l.Close()
					<-done
				})
				s := syslog.Server{Address: l.Addr().String()}
				if secured {
					s.TLS = &tls.Config{RootCAs: authority, ServerName: "example.com", MinVersion: tls.VersionTLS13}
				}
				for range 20 {
					if err := s.SendMessages(t.Context(), [][]byte{[]byte("an entry"), []byte(strings.Repeat("x", 8000))}); err == nil {
						t.Fatal("the entries count as read")
					}
				}
				if when == "at once" {
					if err := s.CheckConnection(t.Context()); err == nil || !strings.Contains(err.Error(), "ended the connection") {
						t.Errorf("the check says %v", err)
					}
				}
			})
		}
	}
}
