// Package oidc signs people in with the company's identity provider (OpenID Connect Core 1.0): authorization code with
// PKCE (RFC 7636), state and nonce, the role from a claim, and Back-Channel Logout 1.0.
//
// It speaks to the issuer of the settings alone, and knows neither HTTP handlers nor the store: package auth turns its
// identities into users and sessions.
package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"munadi/appliance/config"
	"munadi/appliance/endpoint"
)

// KeyPurpose is the purpose that the key of a [Provider] is derived for.
const KeyPurpose = "oidc sign-ins"

const (
	requestTimeout = 10 * time.Second
	retryInterval  = 30 * time.Second // between two discoveries
	maxAnswer      = 1 << 20          // bytes of an answer of the provider
)

// ErrUnavailable means that the identity provider does not answer, or not as one.
var ErrUnavailable = errors.New("the identity provider cannot be reached")

// Provider is the company's identity provider. It is safe for concurrent use.
type Provider struct {
	settings *config.Config
	secret   string
	key      [32]byte
	callback func() string // redirect URL
	now      func() time.Time
	log      *slog.Logger
	client   *http.Client

	mu    sync.Mutex
	found *oidc.Provider // nil until the discovery succeeded
}

// OpenProvider returns the provider of the settings; nil without one. It reads the file of the client secret. callback
// returns the redirect URL that the provider knows.
func OpenProvider(
	c *config.Config, key [32]byte, callback func() string, now func() time.Time, log *slog.Logger,
) (*Provider, error) {
	if c.OIDCIssuer == "" {
		return nil, nil
	}
	p := &Provider{
		settings: c, key: key, callback: callback, now: now, log: log,
		client: endpoint.NewClient(limitedTransport{&http.Transport{TLSHandshakeTimeout: requestTimeout}}),
	}
	p.client.Timeout = requestTimeout
	var err error
	if p.secret, err = config.ReadSecret("oidc-secret-file", c.OIDCSecretFile, c.OIDCSecret); err != nil {
		return nil, err
	}
	return p, nil
}

// limitedTransport limits the length of answers.
type limitedTransport struct{ http.RoundTripper }

func (l limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, maxAnswer), answer.Body}
	}
	return answer, err
}

// Run discovers the provider (OpenID Connect Discovery 1.0), and tries again until it answers or ctx ends. A provider
// that does not answer is logged once.
func (p *Provider) Run(ctx context.Context) error {
	ticker := time.NewTicker(retryInterval)
	defer ticker.Stop()
	for said := false; ; said = true {
		_, err := p.discover(ctx)
		switch {
		case err == nil:
			p.log.Info("people can sign in with the identity provider", "issuer", p.settings.OIDCIssuer)
			<-ctx.Done()
			return nil
		case !said && ctx.Err() == nil:
			p.log.Warn("the identity provider does not answer; passwords still work", "issuer", p.settings.OIDCIssuer,
				"retry", retryInterval, "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// discover returns the provider's endpoints and keys; [ErrUnavailable].
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	found := p.found
	p.mu.Unlock()
	if found != nil {
		return found, nil
	}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.settings.OIDCIssuer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found = found
	return found, nil
}

// Name returns how the provider is called on the sign-in page; empty: by no name of its own.
func (p *Provider) Name() string { return p.settings.OIDCName }

// IsReady reports whether the provider has answered.
func (p *Provider) IsReady() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.found != nil
}

// client settings of OAuth 2.0 for the endpoints of the provider.
func (p *Provider) oauth(found *oidc.Provider) oauth2.Config {
	return oauth2.Config{
		ClientID: p.settings.OIDCClientID, ClientSecret: p.secret, Endpoint: found.Endpoint(), RedirectURL: p.callback(),
		Scopes: p.settings.OIDCScopes.Words(),
	}
}

// verifier checks tokens for this client: signature, issuer, audience, expiry.
func (p *Provider) verifier(found *oidc.Provider) *oidc.IDTokenVerifier {
	return found.Verifier(&oidc.Config{ClientID: p.settings.OIDCClientID, Now: p.now})
}
