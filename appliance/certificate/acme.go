package certificate

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

// Order is what a public authority is asked for.
type Order struct {
	Domains   []string // the first one answers clients that name none
	Directory string   // URL of the authority's ACME directory
	Email     string   // what the authority is told, if anything
}

// public has certificates from a public authority.
type public struct {
	domains []string
	manager *autocert.Manager
	log     *slog.Logger
	warner  warner
	reasons *reasons

	mu  sync.Mutex
	got map[string]bool // domains that have one
}

// ACME has certificates from the authority of an order, kept in folder. What is kept there serves at once, what is
// missing is asked for by Run.
func ACME(folder string, o Order, log *slog.Logger) Source {
	cache, why := autocert.DirCache(folder), &reasons{}
	p := &public{
		domains: o.Domains, log: log, got: map[string]bool{}, warner: warner{log: log}, reasons: why,
		manager: &autocert.Manager{
			Prompt: autocert.AcceptTOS, Cache: cache, Email: o.Email, HostPolicy: autocert.HostWhitelist(o.Domains...),
			Client: &acme.Client{
				DirectoryURL: o.Directory, UserAgent: "munadi", HTTPClient: &http.Client{Transport: why},
			},
		},
	}
	for _, domain := range o.Domains {
		p.got[domain] = kept(cache, domain)
	}
	return p
}

// kept says whether the cache holds a certificate that is good now.
func kept(cache autocert.Cache, domain string) bool {
	content, err := cache.Get(context.Background(), domain)
	if err != nil {
		return false
	}
	pair, err := tls.X509KeyPair(content, content)
	return err == nil && current(pair.Leaf, time.Now()) == nil
}

// Config implements [Source].
func (p *public) Config() *tls.Config {
	c := base(p.get)
	c.NextProtos = append(c.NextProtos, acme.ALPNProto)
	return c
}

// get answers a client. Only Run asks the authority for a first certificate: strangers who connect must not use up what
// it allows.
func (p *public) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	if slices.Equal(hello.SupportedProtos, []string{acme.ALPNProto}) {
		return p.manager.GetCertificate(hello)
	}
	name := strings.ToLower(hello.ServerName)
	if name == "" {
		name = p.domains[0]
	}
	if !p.has(name) {
		return nil, errNone
	}
	return p.manager.GetCertificate(modern(name))
}

// modern is the hello of a client that takes ECDSA, as all do that speak TLS 1.2; autocert would order one with RSA
// beside it for others.
func modern(name string) *tls.ClientHelloInfo {
	return &tls.ClientHelloInfo{
		ServerName: name, SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
		SupportedCurves: []tls.CurveID{tls.CurveP256}, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
	}
}

func (p *public) has(domain string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.got[domain]
}

// Run implements [Source]. What was got is renewed by autocert when a third of its life is left.
func (p *public) Run(ctx context.Context) error {
	var all sync.WaitGroup
	for _, domain := range p.domains {
		all.Go(func() { p.obtain(ctx, domain) })
	}
	err := every(ctx, time.Hour, func() { p.warner.look(Leaf(p), time.Now()) })
	all.Wait()
	return err
}

// pauses are between attempts to get a certificate: Let's Encrypt allows five failures an hour for a name. The first is
// longer than the minute for which autocert remembers a failure.
func pauses() []time.Duration {
	return []time.Duration{65 * time.Second, 10 * time.Minute, 20 * time.Minute, time.Hour}
}

// obtain asks for a domain's first certificate until there is one.
func (p *public) obtain(ctx context.Context, domain string) {
	for failures := 0; ; failures++ {
		pair, err := p.manager.GetCertificate(modern(domain))
		if err == nil {
			p.mu.Lock()
			p.got[domain] = true
			p.mu.Unlock()
			p.log.Info("TLS certificate", "domain", domain, "until", pair.Leaf.NotAfter)
			return
		}
		pause := pauses()[min(failures, len(pauses())-1)]
		p.log.Warn("the authority gave no TLS certificate. Its servers must reach this machine by that name, on port 443, "+
			"or on port 80 with --redirect :80", "domain", domain, "again in", pause, "err", err, "authority", p.reasons.take())
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// Challenge implements [Source].
func (p *public) Challenge(next http.Handler) http.Handler {
	answer := p.manager.HTTPHandler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host, _, err := net.SplitHostPort(r.Host); err == nil { // autocert compares names
			inner := *r
			inner.Host, r = host, &inner
		}
		answer.ServeHTTP(w, r)
	})
}

// Current implements [Source].
func (p *public) Current() *tls.Certificate {
	if !p.has(p.domains[0]) {
		return nil
	}
	pair, err := p.manager.GetCertificate(modern(p.domains[0]))
	if err != nil {
		return nil
	}
	return pair
}

// Root implements [Source].
func (*public) Root() []byte { return nil }
