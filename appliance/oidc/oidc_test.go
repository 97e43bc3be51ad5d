package oidc_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"

	"munadi/appliance/config"
	"munadi/appliance/oidc"
	"munadi/store/account"
)

// forger is an identity provider whose tokens tests choose.
type forger struct {
	*httptest.Server
	key    *rsa.PrivateKey // that it publishes
	signs  *rsa.PrivateKey
	claims map[string]any
	*oidc.Provider
}

const tokenTime = 1_800_000_000

// startForger returns a provider that issues tokens with its own key.
func startForger(t *testing.T) *forger {
	t.Helper()
	f := &forger{}
	var err error
	if f.key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	f.Server = httptest.NewServer(mux)
	t.Cleanup(f.Close)
	answer := func(path string, body func() any) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(body())
		})
	}
	answer("/.well-known/openid-configuration", func() any {
		return map[string]any{
			"issuer": f.URL, "authorization_endpoint": f.URL + "/auth", "token_endpoint": f.URL + "/token", "jwks_uri": f.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"},
		}
	})
	answer("/keys", func() any {
		return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: f.key.Public(), KeyID: "1", Algorithm: "RS256", Use: "sig"}}}
	})
	answer("/token", func() any {
		return map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": f.sign(t, f.signs, f.claims)}
	})
	cfg := config.Default()
	cfg.OIDCIssuer, cfg.OIDCClientID, cfg.OIDCRoles = f.URL, "munadi", "staff=viewer,admins=owner@clinic"
	now := func() time.Time { return time.Unix(tokenTime, 0) }
	f.Provider, err = oidc.OpenProvider(cfg, [32]byte{1}, func() string { return "http://munadi.test/callback" }, now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sign returns a token of claims.
func (f *forger) sign(t *testing.T, key *rsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	payload, _ := json.Marshal(claims)
	signed, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := signed.CompactSerialize()
	return text
}

// TestTokensOfAnother: an ID token is accepted only with the client's audience, the issuer, the nonce of this sign-in, a
// later expiry and the issuer's signature.
func TestTokensOfAnother(t *testing.T) {
	t.Parallel()
	f := startForger(t)
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		change map[string]any
		want   error
	}{
		"as it should be":      {nil, nil},
		"another audience":     {map[string]any{"aud": "other"}, oidc.ErrToken},
		"another issuer":       {map[string]any{"iss": "https://evil.example"}, oidc.ErrToken},
		"another nonce":        {map[string]any{"nonce": "other"}, oidc.ErrToken},
		"no nonce":             {map[string]any{"nonce": nil}, oidc.ErrToken},
		"expired":              {map[string]any{"exp": tokenTime - 1}, oidc.ErrToken},
		"nobody":               {map[string]any{"sub": ""}, oidc.ErrToken},
		"another key":          {map[string]any{"key": true}, oidc.ErrToken},
		"no role":              {map[string]any{"groups": []string{"x"}}, oidc.ErrNoRole},
		"groups of other kind": {map[string]any{"groups": map[string]any{"a": 1}}, oidc.ErrNoRole},
		"a group as text":      {map[string]any{"groups": "staff"}, nil},
	} {
		address, cookie, err := f.BeginSignIn(t.Context(), oidc.Return{Next: "/console/calls"})
		if err != nil {
			t.Fatal(err)
		}
		sent, _ := url.Parse(address)
		if q := sent.Query(); q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" {
			t.Fatalf("the request is %v", q)
		}
		claims := map[string]any{
			"iss": f.URL, "aud": "munadi", "sub": "00u1", "sid": "s1", "preferred_username": "amal", "exp": tokenTime + 60, "iat": tokenTime,
			"nonce": sent.Query().Get("nonce"), "groups": []string{"x", "staff"},
		}
		maps.Copy(claims, c.change)
		f.claims, f.signs = claims, f.key
		if c.change["key"] != nil {
			f.signs = stranger
		}
		who, to, err := f.EndSignIn(t.Context(), cookie, url.Values{"state": {sent.Query().Get("state")}, "code": {"c"}})
		if !errors.Is(err, c.want) || err == nil && (to.Next != "/console/calls" || who.Role != account.Viewer || who.OrgID != account.Default || who.Session != "s1") {
			t.Errorf("%s: %+v, %q, %v, want %v", what, who, to, err, c.want)
		}
		if missing := what == "groups of other kind"; errors.Is(err, oidc.ErrNoRole) && strings.Contains(err.Error(), "the claim groups") != missing {
			t.Errorf("%s: the error %q", what, err)
		}
	}
}

// TestLogoutTokens: a logout token is accepted only for this client, with the event, without a nonce, and for somebody.
func TestLogoutTokens(t *testing.T) {
	t.Parallel()
	f := startForger(t)
	event := map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}
	for what, c := range map[string]struct {
		change map[string]any
		want   error
	}{
		"as it should be":  {nil, nil},
		"an ID token":      {map[string]any{"nonce": "n", "events": nil}, oidc.ErrToken},
		"with a nonce":     {map[string]any{"nonce": "n"}, oidc.ErrToken},
		"another event":    {map[string]any{"events": map[string]any{"x": 1}}, oidc.ErrToken},
		"another audience": {map[string]any{"aud": "other"}, oidc.ErrToken},
		"expired":          {map[string]any{"exp": tokenTime - 1}, oidc.ErrToken},
		"of nobody":        {map[string]any{"sub": "", "sid": ""}, oidc.ErrToken},
		"without id":       {map[string]any{"jti": nil}, oidc.ErrToken},
		"empty id":         {map[string]any{"jti": ""}, oidc.ErrToken},
		"undated":          {map[string]any{"iat": nil}, oidc.ErrToken},
		"long ago":         {map[string]any{"iat": tokenTime - 600}, oidc.ErrToken},
		"of the future":    {map[string]any{"iat": tokenTime + 61, "exp": tokenTime + 600}, oidc.ErrToken},
		"a clock ahead":    {map[string]any{"iat": tokenTime + 60, "exp": tokenTime + 600}, nil},
		"without expiry":   {map[string]any{"exp": nil}, oidc.ErrToken},
	} {
		claims := map[string]any{
			"iss": f.URL, "aud": "munadi", "sub": "00u1", "sid": "s1", "jti": "1", "exp": tokenTime + 60, "iat": tokenTime, "events": event,
		}
		maps.Copy(claims, c.change)
		logout, err := f.VerifyLogout(t.Context(), f.sign(t, f.key, claims))
		if !errors.Is(err, c.want) || err == nil && (logout.Subject != "00u1" || logout.Session != "s1" || logout.Issuer != f.URL || logout.TokenID != "1" || logout.Until.IsZero()) {
			t.Errorf("%s: %+v, %v, want %v", what, logout, err, c.want)
		}
	}
}

// TestAuthenticationAgain: within a session the ID token must say that its person authenticated since the request.
func TestAuthenticationAgain(t *testing.T) {
	t.Parallel()
	f := startForger(t)
	for what, c := range map[string]struct {
		at   any
		want error
	}{
		"now":            {tokenTime, nil},
		"a clock behind": {tokenTime - 60, nil},
		"long ago":       {tokenTime - 61, oidc.ErrToken},
		"unsaid":         {nil, oidc.ErrToken},
		"a text":         {"1800000000", oidc.ErrToken},
	} {
		address, cookie, err := f.BeginSignIn(t.Context(), oidc.Return{Next: "/x", Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		sent, _ := url.Parse(address)
		f.signs = f.key
		f.claims = map[string]any{
			"iss": f.URL, "aud": "munadi", "sub": "00u1", "exp": tokenTime + 60, "iat": tokenTime, "auth_time": c.at,
			"nonce": sent.Query().Get("nonce"), "groups": []string{"staff"},
		}
		who, to, err := f.EndSignIn(t.Context(), cookie, url.Values{"state": {sent.Query().Get("state")}, "code": {"c"}})
		if !errors.Is(err, c.want) || to.Session != "s" || to.Next != "/x" || err == nil && who.Subject != "00u1" {
			t.Errorf("%s: %+v, %+v, %v, want %v", what, who, to, err, c.want)
		}
	}
}
