// Package redirect redirects browsers from plain HTTP to HTTPS.
package redirect

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"munadi/appliance/httpserver"
	"munadi/appliance/tlscert"
)

// TLSRedirect is the handler of a plain HTTP listener beside a TLS listener.
type TLSRedirect struct {
	Certificate tlscert.CertificateSource
	Listener    net.Addr      // address of the TLS listener
	PublicURL   func() string // base URL of the TLS listener
	IsFixed     func() bool   // the base URL is a setting: the host name that a client used is ignored
	Log         *slog.Logger
}

// isPagePath reports whether a path is a page that people open by hand; see [TLSRedirect.ServeHTTP].
func isPagePath(path string) bool {
	return path == "/" || path == "/docs" || path == "/console" || strings.HasPrefix(path, "/console/")
}

// ServeHTTP implements [http.Handler]: it redirects browsers to HTTPS (307), and refuses API clients (403), so that
// their authors notice before keys are sent unencrypted day by day.
func (t TLSRedirect) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isPagePath(r.URL.Path) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "This port only redirects browsers; API clients must use "+t.PublicURL(), http.StatusForbidden)
		return
	}
	// A temporary redirect: a browser would keep a permanent one after TLS is disabled.
	http.Redirect(w, r, t.secureURL(r.Host)+r.URL.RequestURI(), http.StatusTemporaryRedirect)
}

// secureURL returns the base URL of the TLS listener, with the host name that the client used if the certificate
// includes it.
func (t TLSRedirect) secureURL(asked string) string {
	if host, _, err := net.SplitHostPort(asked); err == nil {
		asked = host
	}
	leaf := tlscert.LeafCertificate(t.Certificate)
	if t.IsFixed() || leaf == nil || leaf.VerifyHostname(asked) != nil {
		return httpserver.PublicOrigin(t.PublicURL()) // without the path: only browsers are redirected
	}
	asked = strings.Trim(asked, "[]")
	if _, port, _ := net.SplitHostPort(t.Listener.String()); port != "443" {
		return "https://" + net.JoinHostPort(asked, port)
	}
	return "https://" + asked
}

// ServeListener serves a listener until the returned server is closed; it also answers ACME challenges.
func (t TLSRedirect) ServeListener(plain net.Listener) *http.Server {
	server := httpserver.NewShortServer(t.Certificate.HandleChallenge(t), t.Log)
	go func() {
		if err := server.Serve(plain); !errors.Is(err, http.ErrServerClosed) {
			t.Log.Error("the plain HTTP listener failed; browsers are no longer redirected", "err", err)
		}
	}()
	t.Log.Info("redirecting browsers from HTTP to HTTPS", "addr", plain.Addr().String())
	return server
}
