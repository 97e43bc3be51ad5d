package oidc

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"munadi/appliance/auth"
	"munadi/appliance/seal"
)

// FlowFor is how long a person may take at the provider.
const FlowFor = 10 * time.Minute

var (
	// ErrFlow means that a return from the provider does not belong to a sign-in that this browser has begun within the
	// last minutes.
	ErrFlow = errors.New("this sign-in was not begun in this browser, or took too long")
	// ErrDeclined means that the provider did not sign the person in.
	ErrDeclined = errors.New("the identity provider refused the sign-in")
	// ErrToken means that the provider's token is not valid for this sign-in.
	ErrToken = errors.New("the token of the identity provider is not valid")
)

// signInFlow is a sign-in under way, kept encrypted in a cookie.
type signInFlow struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"` // PKCE
	Until    int64  `json:"until"`    // Unix seconds
	Return
}

// Return says where a person goes on who comes back from the provider.
type Return struct {
	Next string `json:"next"`
	// Session is the session whose user authenticates again; empty: it is a sign-in.
	Session string `json:"session,omitempty"`
}

// BeginSignIn returns the address at the provider where a person signs in, and the flow for a cookie. For a session the
// person authenticates again, whatever session the provider has (prompt=login, OpenID Connect Core, 3.1.2.1).
// [ErrUnavailable].
func (p *Provider) BeginSignIn(ctx context.Context, to Return) (address, cookie string, err error) {
	found, err := p.discover(ctx)
	if err != nil {
		return "", "", err
	}
	flow := signInFlow{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Return: to,
		Until: p.now().Add(FlowFor).Unix(),
	}
	text, err := json.Marshal(flow)
	if err != nil {
		return "", "", err
	}
	sealed, err := seal.SealText(p.key, string(text), "flow")
	if err != nil {
		return "", "", err
	}
	client := p.oauth(found)
	options := []oauth2.AuthCodeOption{oidc.Nonce(flow.Nonce), oauth2.S256ChallengeOption(flow.Verifier)}
	if to.Session != "" {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	address = client.AuthCodeURL(flow.State, options...)
	return address, base64.RawURLEncoding.EncodeToString(sealed), nil
}

// openFlow returns the flow of a cookie; [ErrFlow] unless it belongs to the state of a return.
func (p *Provider) openFlow(cookie, state string) (flow signInFlow, err error) {
	sealed, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil {
		return flow, ErrFlow
	}
	text, err := seal.OpenText(p.key, sealed, "flow")
	if err != nil || json.Unmarshal([]byte(text), &flow) != nil {
		return flow, ErrFlow
	}
	if subtle.ConstantTimeCompare([]byte(flow.State), []byte(state)) != 1 || p.now().Unix() >= flow.Until {
		return flow, ErrFlow
	}
	return flow, nil
}

// EndSignIn redeems the return of the provider (its query) for the identity of the person, and returns where to go
// then, also with an error once the flow is known. Its errors: [ErrFlow], [ErrDeclined], [ErrToken], [ErrUnavailable],
// [ErrNoRole].
func (p *Provider) EndSignIn(
	ctx context.Context, cookie string, back url.Values,
) (who auth.ExternalIdentity, to Return, err error) {
	flow, err := p.openFlow(cookie, back.Get("state"))
	if err != nil {
		return who, to, err
	}
	to = flow.Return
	if iss := back.Get("iss"); iss != "" && iss != p.settings.OIDCIssuer { // mix-up (RFC 9207)
		return who, to, ErrFlow
	}
	if reason := back.Get("error"); reason != "" || back.Get("code") == "" {
		return who, to, fmt.Errorf("%w: %.100q", ErrDeclined, reason)
	}
	found, err := p.discover(ctx)
	if err != nil {
		return who, to, err
	}
	ctx, client := oidc.ClientContext(ctx, p.client), p.oauth(found)
	token, err := client.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(flow.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused):
		return who, to, fmt.Errorf("%w: %.100q", ErrDeclined, refused.ErrorCode)
	case err != nil:
		return who, to, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	claims, err := p.readClaims(ctx, found, token, flow.Nonce)
	if err != nil {
		return who, to, err
	}
	if to.Session != "" {
		if err := checkAuthTime(claims, flow); err != nil {
			return who, to, err
		}
	}
	who, err = p.identify(claims)
	return who, to, err
}

// checkAuthTime refuses an ID token whose person authenticated before the flow began (claim auth_time, which a request
// with max_age obliges the provider to give): the browser may have left prompt=login out.
func checkAuthTime(claims map[string]any, flow signInFlow) error {
	at, there := claims["auth_time"].(float64)
	if begun := time.Unix(flow.Until, 0).Add(-FlowFor); !there || at < float64(begun.Add(-clockSkew).Unix()) {
		return fmt.Errorf("%w: its person did not authenticate again (auth_time %v)", ErrToken, claims["auth_time"])
	}
	return nil
}

// readClaims returns the claims of a verified ID token, with those of the userinfo endpoint if the roles are not in it.
func (p *Provider) readClaims(
	ctx context.Context, found *oidc.Provider, token *oauth2.Token, nonce string,
) (map[string]any, error) {
	raw, _ := token.Extra("id_token").(string)
	verified, err := p.verifier(found).Verify(ctx, raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrToken, err)
	}
	if subtle.ConstantTimeCompare([]byte(verified.Nonce), []byte(nonce)) != 1 {
		return nil, fmt.Errorf("%w: its nonce is another one", ErrToken)
	}
	claims := map[string]any{}
	if err := verified.Claims(&claims); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrToken, err)
	}
	if len(findStrings(claims, p.settings.OIDCClaim)) > 0 || found.UserInfoEndpoint() == "" {
		return claims, nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if info.Subject != verified.Subject { // OpenID Connect Core, 5.3.2
		return nil, fmt.Errorf("%w: the user information is of somebody else", ErrToken)
	}
	more := map[string]any{}
	if err := info.Claims(&more); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrToken, err)
	}
	for name, value := range more {
		if _, there := claims[name]; !there {
			claims[name] = value
		}
	}
	return claims, nil
}

// A logout token is accepted for logoutAge after it was issued (claim iat); clockSkew is how far the provider's clock
// may be ahead. So it has to be remembered for a short time only, whatever its expiry.
const (
	logoutAge = 10 * time.Minute
	clockSkew = time.Minute
)

// VerifyLogout returns whose sessions a logout token ends (Back-Channel Logout 1.0, 2.6); [ErrToken], [ErrUnavailable].
// The caller accepts its id once.
func (p *Provider) VerifyLogout(ctx context.Context, raw string) (auth.ExternalLogout, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return auth.ExternalLogout{}, err
	}
	token, err := p.verifier(found).VerifyLogout(oidc.ClientContext(ctx, p.client), raw)
	if err != nil {
		return auth.ExternalLogout{}, fmt.Errorf("%w: %w", ErrToken, err)
	}
	until := token.IssuedAt.Add(logoutAge)
	if now := p.now(); token.IssuedAt.After(now.Add(clockSkew)) || !now.Before(until) {
		return auth.ExternalLogout{}, fmt.Errorf("%w: it was issued at %v", ErrToken, token.IssuedAt.UTC())
	}
	return auth.ExternalLogout{
		Issuer: token.Issuer, Subject: token.Subject, Session: token.SessionID, TokenID: token.TokenID, Until: until,
	}, nil
}
