package appliance

import (
	"errors"
	"net"
	"net/http"
	"strings"

	"munadi/appliance/tlscert"
)

// isPagePath reports whether a path is a page that people open by hand; see [Appliance.redirectToTLS].
func isPagePath(path string) bool {
	return path == "/" || path == "/docs" || path == "/console" || strings.HasPrefix(path, "/console/")
}

// redirectToTLS handles plain HTTP beside a TLS listener: it redirects browsers to HTTPS (307), and refuses API
// clients (403), so that their authors notice before keys are sent unencrypted day by day.
func (a *Appliance) redirectToTLS(w http.ResponseWriter, r *http.Request) {
	if !isPagePath(r.URL.Path) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "This port only redirects browsers; API clients must use "+a.publicURL(), http.StatusForbidden)
		return
	}
	// A temporary redirect: a browser would keep a permanent one after TLS is disabled.
	http.Redirect(w, r, a.secureURL(r.Host)+r.URL.RequestURI(), http.StatusTemporaryRedirect)
}

// secureURL returns the base URL of the TLS listener, with the host name that the client used if the certificate
// includes it.
func (a *Appliance) secureURL(asked string) string {
	if host, _, err := net.SplitHostPort(asked); err == nil {
		asked = host
	}
	leaf := tlscert.LeafCertificate(a.certificate)
	if a.inForce().PublicURL != "" || leaf == nil || leaf.VerifyHostname(asked) != nil {
		return strings.TrimSuffix(a.publicURL(), "/")
	}
	asked = strings.Trim(asked, "[]")
	if _, port, _ := net.SplitHostPort(a.Addr().String()); port != "443" {
		return "https://" + net.JoinHostPort(asked, port)
	}
	return "https://" + asked
}

// serveRedirect serves the redirecting listener until it is closed; it also answers ACME challenges.
func (a *Appliance) serveRedirect() *http.Server {
	server := &http.Server{
		Handler: a.certificate.HandleChallenge(http.HandlerFunc(a.redirectToTLS)), ReadHeaderTimeout: headerTimeout,
		ReadTimeout: headerTimeout, WriteTimeout: headerTimeout, IdleTimeout: headerTimeout, MaxHeaderBytes: maxHeader,
		ConnState: newCrowd(roomForConnections() / 4).trackState,
	}
	go func() {
		if err := server.Serve(a.redirect); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("the plain HTTP listener failed; browsers are no longer redirected", "err", err)
		}
	}()
	a.log.Info("redirecting browsers from HTTP to HTTPS", "addr", a.redirect.Addr().String())
	return server
}
