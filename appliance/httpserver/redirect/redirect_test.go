package redirect_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http/httptest"
	"testing"

	"munadi/appliance/httpserver/redirect"
	"munadi/appliance/tlscert"
)

// namedCertificate is a source whose certificate includes certain host names.
type namedCertificate struct {
	tlscert.CertificateSource
	names []string
}

func (c namedCertificate) CurrentCertificate() *tls.Certificate {
	return &tls.Certificate{Leaf: &x509.Certificate{DNSNames: c.names}}
}

// Pages are redirected, to the host name that the client used if the certificate includes it; all else is refused.
func TestRedirect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, target string
		fixed          bool
		status         int
		location       string
	}{
		{"GET", "http://calls.example:80/console/calls?page=2", false, 307, "https://calls.example:8443/console/calls?page=2"},
		{"GET", "http://calls.example/docs", true, 307, "https://set.example/docs"},
		{"HEAD", "http://other.example/", false, 307, "https://set.example/"},
		{"POST", "http://calls.example/console/sign-in", false, 403, ""},
		{"GET", "http://calls.example/api/v1/calls", false, 403, ""},
	} {
		handler := redirect.TLSRedirect{
			Certificate: namedCertificate{names: []string{"calls.example"}}, Listener: &net.TCPAddr{Port: 8443},
			PublicURL: func() string { return "https://set.example/munadi/" },
			IsFixed:   func() bool { return c.fixed },
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(c.method, c.target, nil))
		if w.Code != c.status || w.Header().Get("Location") != c.location {
			t.Errorf("%s %s: %d %q", c.method, c.target, w.Code, w.Header().Get("Location"))
		}
	}
}
