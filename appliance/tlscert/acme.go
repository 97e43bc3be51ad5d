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

// ACMEOrder is what a public authority is asked for.
type ACMEOrder struct {
	Domains   []string // the first one answers clients that name none
	Directory string   // URL of the authority's ACME directory
	Email     string   // what the authority is told, if anything
}

// acmeSource has certificates from a public authority.
type acmeSource struct {
	domains []string
	manager *autocert.Manager
	log     *slog.Logger
	warner  expiryWarner
	reasons *acmeProblems

	mu  sync.Mutex
	got map[string]bool // domains that have one
}

// NewACMESource has certificates from the authority of an order, kept in folder. What is kept there serves at once, what is
// missing is asked for by Run.
func NewACMESource(folder string, o ACMEOrder, log *slog.Logger) CertificateSource {
	cache, why := autocert.DirCache(folder), &acmeProblems{}
	p := &acmeSource{
		domains: o.Domains, log: log, got: map[string]bool{}, warner: expiryWarner{log: log}, reasons: why,
		manager: &autocert.Manager{
			Prompt: autocert.AcceptTOS, Cache: cache, Email: o.Email, HostPolicy: autocert.HostWhitelist(o.Domains...),
			Client: &acme.Client{
				DirectoryURL: o.Directory, UserAgent: "munadi", HTTPClient: &http.Client{Transport: why},
			},
		},
	}
	for _, domain := range o.Domains {
		p.got[domain] = hasValidCertificate(cache, domain)
	}
	return p
}

// hasValidCertificate says whether the cache holds a certificate that is good now.
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

// getCertificate answers a client. Only Run asks the authority for a first certificate: strangers who connect must not use up what
// it allows.
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

// newClientHello is the hello of a client that takes ECDSA, as all do that speak TLS 1.2; autocert would order one with RSA
// beside it for others.
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

// Run implements [CertificateSource]. What was got is renewed by autocert when a third of its life is left.
func (p *acmeSource) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, domain := range p.domains {
		all.Go(func() { p.obtainCertificate(ctx, domain) })
	}
	err := runPeriodically(ctx, time.Hour, func() { p.warner.checkExpiry(LeafCertificate(p), time.Now()) })
	all.Wait()
	return err
}

// retryDelays are between attempts to get a certificate: Let's Encrypt allows five failures an hour for a name. The first is
// longer than the minute for which autocert remembers a failure.
func retryDelays() []time.Duration {
	return []time.Duration{65 * time.Second, 10 * time.Minute, 20 * time.Minute, time.Hour}
}

// obtainCertificate asks for a domain's first certificate until there is one.
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
		p.log.Warn("the authority gave no TLS certificate. Its servers must reach this machine by that name, on port 443, "+
			"or on port 80 with --redirect :80", "domain", domain, "again in", pause, "err", err, "authority", p.reasons.takeProblem())
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
		if host, _, err := net.SplitHostPort(r.Host); err == nil { // autocert compares names
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
