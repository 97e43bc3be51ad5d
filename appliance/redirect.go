package appliance

import (
	"errors"
	"net"
	"net/http"
	"strings"

	"munadi/appliance/tlscert"
)

// isPagePath are the pages that people open by hand; see [Appliance.redirectToTLS].
func isPagePath(path string) bool {
	return path == "/" || path == "/docs" || path == "/console" || strings.HasPrefix(path, "/console/")
}

// redirectToTLS answers plain HTTP beside a listener with TLS: it sends browsers on, and refuses programs, so that whoever wrote
// one finds out before keys travel in the clear day by day.
func (a *Appliance) redirectToTLS(w http.ResponseWriter, r *http.Request) {
	if !isPagePath(r.URL.Path) || r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "This port only leads browsers to "+a.publicURL()+"; programs use that address.", http.StatusForbidden)
		return
	}
	// No permanent one: who turns TLS off again would not get rid of it.
	http.Redirect(w, r, a.secureURL(r.Host)+r.URL.RequestURI(), http.StatusTemporaryRedirect)
}

// secureURL is the base of links to the listener with TLS, by the name that the client used if the certificate has it.
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

// serveRedirect answers on the redirecting listener, if there is one, until it is closed.
func (a *Appliance) serveRedirect() *http.Server {
	server := &http.Server{
		Handler: a.certificate.HandleChallenge(http.HandlerFunc(a.redirectToTLS)), ReadHeaderTimeout: headerTimeout,
		ReadTimeout: headerTimeout, WriteTimeout: headerTimeout, IdleTimeout: headerTimeout, MaxHeaderBytes: maxHeader,
		ConnState: newCrowd(roomForConnections() / 4).trackState,
	}
	go func() {
		if err := server.Serve(a.redirect); !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("plain HTTP is not answered any more", "err", err)
		}
	}()
	a.log.Info("leading browsers from HTTP to HTTPS", "addr", a.redirect.Addr().String())
	return server
}
