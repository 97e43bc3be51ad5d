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
	Next     string `json:"next"`     // where to go then
	Until    int64  `json:"until"`    // Unix seconds
}

// BeginSignIn returns the address at the provider where a person signs in, and the flow for a cookie. [ErrUnavailable].
func (p *Provider) BeginSignIn(ctx context.Context, next string) (address, cookie string, err error) {
	found, err := p.discover(ctx)
	if err != nil {
		return "", "", err
	}
	flow := signInFlow{
		State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Next: next,
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
	address = client.AuthCodeURL(flow.State, oidc.Nonce(flow.Nonce), oauth2.S256ChallengeOption(flow.Verifier))
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
// then. Its errors: [ErrFlow], [ErrDeclined], [ErrToken], [ErrUnavailable], [ErrNoRole].
func (p *Provider) EndSignIn(
	ctx context.Context, cookie string, back url.Values,
) (auth.ExternalIdentity, string, error) {
	flow, err := p.openFlow(cookie, back.Get("state"))
	if err != nil {
		return auth.ExternalIdentity{}, "", err
	}
	if iss := back.Get("iss"); iss != "" && iss != p.settings.OIDCIssuer { // mix-up (RFC 9207)
		return auth.ExternalIdentity{}, "", ErrFlow
	}
	if reason := back.Get("error"); reason != "" || back.Get("code") == "" {
		return auth.ExternalIdentity{}, "", fmt.Errorf("%w: %.100q", ErrDeclined, reason)
	}
	found, err := p.discover(ctx)
	if err != nil {
		return auth.ExternalIdentity{}, "", err
	}
	ctx, client := oidc.ClientContext(ctx, p.client), p.oauth(found)
	token, err := client.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(flow.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused):
		return auth.ExternalIdentity{}, "", fmt.Errorf("%w: %.100q", ErrDeclined, refused.ErrorCode)
	case err != nil:
		return auth.ExternalIdentity{}, "", fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	claims, err := p.readClaims(ctx, found, token, flow.Nonce)
	if err != nil {
		return auth.ExternalIdentity{}, "", err
	}
	who, err := p.identify(claims)
	return who, flow.Next, err
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

// VerifyLogout returns whose sessions a logout token ends (Back-Channel Logout 1.0, 2.6); [ErrToken], [ErrUnavailable].
func (p *Provider) VerifyLogout(ctx context.Context, raw string) (auth.ExternalLogout, error) {
	found, err := p.discover(ctx)
	if err != nil {
		return auth.ExternalLogout{}, err
	}
	token, err := p.verifier(found).VerifyLogout(oidc.ClientContext(ctx, p.client), raw)
	if err != nil {
		return auth.ExternalLogout{}, fmt.Errorf("%w: %w", ErrToken, err)
	}
	return auth.ExternalLogout{Issuer: token.Issuer, Subject: token.Subject, Session: token.SessionID}, nil
}
