package tlscert

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// ACMEOrder describes the certificates to be obtained from an ACME CA.
type ACMEOrder struct {
	Domains   []string // the first one is served to clients without SNI
	Directory string   // ACME directory URL of the CA
	Email     string   // contact of the CA's account, may be empty
}

// acmeSource obtains certificates from an ACME CA.
type acmeSource struct {
	domains []string
	manager *autocert.Manager
	log     *slog.Logger
	warner  expiryWarner
	reasons *acmeProblems

	mu  sync.Mutex
	got map[string]bool // domains that have a certificate
}

// NewACMESource returns a source of certificates from an ACME CA, cached in folder. Cached certificates are served at
// once; Run obtains missing ones.
func NewACMESource(folder string, o ACMEOrder, log *slog.Logger) CertificateSource {
	cache, why := autocert.DirCache(folder), &acmeProblems{}
	p := &acmeSource{
		domains: o.Domains, log: log, got: map[string]bool{}, warner: expiryWarner{log: log}, reasons: why,
		manager: &autocert.Manager{
			Prompt: autocert.AcceptTOS, Cache: cache, Email: o.Email, HostPolicy: autocert.HostWhitelist(o.Domains...),
			Client: &acme.Client{DirectoryURL: o.Directory, UserAgent: "munadi", HTTPClient: &http.Client{Transport: why}},
		},
	}
	for _, domain := range o.Domains {
		p.got[domain] = hasValidCertificate(cache, domain)
	}
	return p
}

// hasValidCertificate reports whether the cache holds a certificate that is valid now.
func hasValidCertificate(cache autocert.Cache, domain string) bool {
	content, err := cache.Get(context.Background(), domain)
	if err != nil {
		return false
	}
	pair, err := tls.X509KeyPair(content, content)
	return err == nil && verifyValidity(pair.Leaf, time.Now()) == nil
}

// TLSConfig implements [CertificateSource].
func (p *acmeSource) TLSConfig() *tls.Config {
	c := newTLSConfig(p.getCertificate)
	c.NextProtos = append(c.NextProtos, acme.ALPNProto)
	return c
}

// getCertificate returns the certificate of a TLS handshake. Only Run requests a first certificate from the CA:
// clients who connect must not be able to use up its rate limit.
func (p *acmeSource) getCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
		return p.manager.GetCertificate(hello)
	}
	name := strings.ToLower(hello.ServerName)
	if name == "" {
		name = p.domains[0]
	}
	if !p.hasCertificate(name) {
		return nil, errNone
	}
	return p.manager.GetCertificate(newClientHello(name))
}

// newClientHello returns the hello of a client that accepts ECDSA, as all TLS 1.2 clients do; autocert would obtain
// an additional RSA certificate for others.
func newClientHello(name string) *tls.ClientHelloInfo {
	return &tls.ClientHelloInfo{
		ServerName: name, SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
		SupportedCurves: []tls.CurveID{tls.CurveP256}, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
	}
}

func (p *acmeSource) hasCertificate(domain string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got[domain]
}

// Run implements [CertificateSource]. autocert renews certificates when a third of their life is left.
func (p *acmeSource) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, domain := range p.domains {
		all.Go(func() { p.obtainCertificate(ctx, domain) })
	}
	err := runPeriodically(ctx, time.Hour, func() { p.warner.checkExpiry(LeafCertificate(p), time.Now()) })
	all.Wait()
	return err
}

// retryDelays are the back-off delays between attempts to obtain a certificate: Let's Encrypt allows five failures an
// hour for a name. The first is longer than the minute for which autocert caches a failure.
func retryDelays() []time.Duration {
	return []time.Duration{65 * time.Second, 10 * time.Minute, 20 * time.Minute, time.Hour}
}

// obtainCertificate requests a domain's first certificate until it succeeds.
func (p *acmeSource) obtainCertificate(ctx context.Context, domain string) {
	for failures := 0; ; failures++ {
		pair, err := p.manager.GetCertificate(newClientHello(domain))
		if err == nil {
			p.mu.Lock()
			p.got[domain] = true
			p.mu.Unlock()
			p.log.Info("TLS certificate", "domain", domain, "until", pair.Leaf.NotAfter)
			return
		}
		pause := retryDelays()[min(failures, len(retryDelays())-1)]
		p.log.Warn("the ACME CA issued no TLS certificate. It must reach this machine by that name, on port 443, "+
			"or on port 80 with --redirect :80", "domain", domain, "again in", pause, "err", err,
			"authority", p.reasons.takeProblem())
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// HandleChallenge implements [CertificateSource].
func (p *acmeSource) HandleChallenge(next http.Handler) http.Handler {
	answer := p.manager.HTTPHandler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host, _, err := net.SplitHostPort(r.Host); err == nil { // autocert compares host names without port
			inner := *r
			inner.Host, r = host, &inner
		}
		answer.ServeHTTP(w, r)
	})
}

// CurrentCertificate implements [CertificateSource].
func (p *acmeSource) CurrentCertificate() *tls.Certificate {
	if !p.hasCertificate(p.domains[0]) {
		return nil
	}
	pair, err := p.manager.GetCertificate(newClientHello(p.domains[0]))
	if err != nil {
		return nil
	}
	return pair
}

// RootPEM implements [CertificateSource].
func (*acmeSource) RootPEM() []byte { return nil }
