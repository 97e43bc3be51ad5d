// Package auth authenticates requests: it issues, verifies and revokes API keys, and it signs users in to the console
// with passwords, lockout and sessions.
//
// A generated key is "mnd_", 43 characters for its 32 random bytes and 6 for the CRC-32 of the preceding text, all in
// base62, so that a double click selects it whole and a secret scanner can tell it from other text. Only generated
// keys carry the checksum: a key that the operator chose for the first start may be any 16 to 256 printable
// characters, so the checksum never decides whether a key is valid, only the reason in the log of one that is not.
//
// The store holds the HMAC-SHA-256 of a key under the installation's secret, a file beside the database: neither the
// database alone nor a copy of it gives access. The submitted key is never stored, written or logged.
//
// Choices where the contract is silent: every refusal looks the same to the client, missing, malformed, unknown or
// revoked; only [RefusalReason] tells them apart, for the log. The visible prefix of a generated key is its first 12
// characters; of one that the operator chose a quarter, 8 at most, because it may be short.
//
// Users have a name and a password, stored as argon2id with OWASP's parameters and hashed few at a time. Guessing is
// slowed down by account and by address (back-off); a browser that has signed in before has a device cookie and a
// counter of its own. A session is 32 random bytes in a cookie, stored as their HMAC; it ends 12 hours after its last
// use and 30 days after the sign-in. The first user is created with a password from the operator's settings, or by a
// one-time set-up link that is valid for half an hour. Choices where the contract is silent: failures are counted in
// memory, so that a restart resets them; no rule demands digits or symbols in a password.
//
// The package depends on the store's keys and users, and of HTTP only on the Authorization header's value.
package auth

import (
	"context"
	"crypto/hmac"
	"log/slog"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"munadi/store"
	"munadi/store/account"
)

// KeyStore is the part of store.Store that API keys use.
type KeyStore interface {
	CreateKey(ctx context.Context, key account.APIKey, actor string) error
	FindKey(ctx context.Context, id string) (account.APIKey, error)
	KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error)
	RevokeKey(ctx context.Context, orgID, id, actor string, now time.Time) (account.APIKey, error)
	TouchKey(ctx context.Context, orgID, id string, now time.Time) error
}

// Principal is the authenticated client of a request: a key and its organization.
type Principal struct {
	OrgID  string
	KeyID  string
	Scopes []account.KeyScope
	Alive  AccessCheck // whether the access is still valid, for [GuardAccess]; nil: until the answer ends
}

// HasScope reports whether the principal's scopes include scope.
func (p Principal) HasScope(scope account.KeyScope) bool {
	return account.AllowsScope(p.Scopes, scope)
}

// KeyVerifier verifies API keys. It is safe for concurrent use; [KeyVerifier.Run] must run for last uses to be
// recorded.
type KeyVerifier struct {
	keys    KeyStore
	secret  InstallationSecret
	now     func() time.Time
	cache   *keyCache
	keyUses *keyUseRecorder
}

// SigningSeed returns [InstallationSecret.signingSeed] of the verifier's secret.
func (a *KeyVerifier) SigningSeed() [32]byte { return a.secret.signingSeed() }

// NewKeyVerifier returns a verifier of keys that are hashed under secret. now is the clock; errors in the background
// go to log.
func NewKeyVerifier(keys KeyStore, secret InstallationSecret, now func() time.Time, log *slog.Logger) *KeyVerifier {
	return &KeyVerifier{
		keys: keys, secret: secret, now: now,
		cache:   newCache(cacheSize),
		keyUses: newKeyUseRecorder(keys, log),
	}
}

// VerifyKey returns the principal of a submitted key. The error is a [*KeyRefusal] for an invalid key; any other
// error means that the key could not be checked.
func (a *KeyVerifier) VerifyKey(ctx context.Context, presented string) (Principal, error) {
	if presented == "" {
		return Principal{}, &KeyRefusal{ReasonMissing}
	}
	now := a.now()
	hash := a.secret.HashKey(presented)
	who, known := a.cache.getPrincipal(hash, now)
	if !known {
		var err error
		if who, err = a.lookUp(ctx, hash, presented, now); err != nil {
			return Principal{}, err
		}
	}
	a.keyUses.queueUse(who, now)
	return who, nil
}

// VerifyHeader is VerifyKey for the value of an Authorization header.
func (a *KeyVerifier) VerifyHeader(ctx context.Context, value string) (Principal, error) {
	presented, err := BearerToken(value)
	if err != nil {
		return Principal{}, err
	}
	return a.VerifyKey(ctx, presented)
}

// lookUp finds the key by its hash in the store, and caches a valid one.
func (a *KeyVerifier) lookUp(ctx context.Context, hash KeyHash, presented string, now time.Time) (Principal, error) {
	generation := a.cache.generation()
	key, err := a.keys.KeyByHash(ctx, hash[:])
	switch {
	case store.CodeOf(err) == store.CodeNotFound:
		return Principal{}, &KeyRefusal{unknownKeyReason(presented)}
	case err != nil:
		return Principal{}, err
	case !hmac.Equal(key.Hash, hash[:]): // do not trust the index alone
		return Principal{}, &KeyRefusal{ReasonUnknown}
	case !key.IsLive():
		return Principal{}, &KeyRefusal{ReasonRevoked}
	}
	who := Principal{
		OrgID: key.OrgID, KeyID: key.ID, Scopes: key.Scopes,
		Alive: func(ctx context.Context) (bool, error) { return a.keyAlive(ctx, key.ID) },
	}
	a.cache.putPrincipal(hash, who, now, generation)
	return who, nil
}

// Length limits of a key, in characters.
const (
	minKey = 16
	maxKey = 256
)

// BearerToken returns the key in an Authorization header's value. Its scheme may be written in any case (RFC 9110,
// 11.1) and any number of spaces and tabs may surround the key. The error is a [*KeyRefusal].
func BearerToken(value string) (string, error) {
	value = strings.Trim(value, " \t")
	if value == "" {
		return "", &KeyRefusal{ReasonMissing}
	}
	scheme, rest, ok := strings.Cut(value, " ")
	presented := strings.Trim(rest, " \t")
	if !ok || !strings.EqualFold(scheme, "bearer") || !isPossibleKey(presented) {
		return "", &KeyRefusal{ReasonMalformed}
	}
	return presented, nil
}

// isPossibleKey reports whether s has the form of a key: 16 to 256 printable characters, no space at either end,
// which a header would lose.
func isPossibleKey(s string) bool {
	if len(s) > maxKey*utf8.UTFMax || s != strings.Trim(s, " \t") || !utf8.ValidString(s) {
		return false
	}
	n := 0
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
		n++
	}
	return n >= minKey && n <= maxKey
}

// RefusalReason is why a credential was refused, for the log; the client gets the same 401 for all.
type RefusalReason string

// The reasons for which a key is refused.
const (
	ReasonMissing   RefusalReason = "missing"   // no credential
	ReasonMalformed RefusalReason = "malformed" // not a bearer header, or a token of impossible characters or length
	ReasonMistyped  RefusalReason = "mistyped"  // looks generated, but its checksum is wrong
	ReasonUnknown   RefusalReason = "unknown"   // not in the store
	ReasonRevoked   RefusalReason = "revoked"   // was valid once
)

// KeyRefusal is the error for an invalid API key.
type KeyRefusal struct{ Reason RefusalReason }

// Error returns the same text for every reason.
func (r *KeyRefusal) Error() string { return "a valid API key is required" }

// IssueKey creates an API key for an organization and returns its record and the key itself, which is not stored and
// cannot be shown again. [store.CodeNotFound] without the organization.
func (a *KeyVerifier) IssueKey(
	ctx context.Context, orgID, name string, scopes []account.KeyScope, actor string,
) (account.APIKey, string, error) {
	if err := account.CheckKeyName(name); err != nil {
		return account.APIKey{}, "", err
	}
	plain := GenerateKey()
	key := a.secret.newKeyRecord(orgID, name, plain, scopes, a.now())
	if err := a.keys.CreateKey(ctx, key, actor); err != nil {
		return account.APIKey{}, "", err
	}
	return key, plain, nil
}

// RevokeKey revokes a key of any organization and returns it. When it returns, the key is no longer accepted by this
// appliance. [store.CodeNotFound] without it.
func (a *KeyVerifier) RevokeKey(ctx context.Context, id, actor string) (account.APIKey, error) {
	key, err := a.keys.FindKey(ctx, id)
	if err != nil {
		return account.APIKey{}, err
	}
	return a.RevokeOwn(ctx, key.OrgID, id, actor)
}

// RevokeOwn is RevokeKey for a key that must belong to the organization.
func (a *KeyVerifier) RevokeOwn(ctx context.Context, orgID, id, actor string) (account.APIKey, error) {
	key, err := a.keys.RevokeKey(ctx, orgID, id, actor, a.now().UTC())
	a.cache.clearKeys() // also after an error: the revocation may have been stored
	return key, err
}

// newKeyRecord returns the record of a key for the store.
func (s InstallationSecret) newKeyRecord(
	orgID, name, plain string, scopes []account.KeyScope, now time.Time,
) account.APIKey {
	hash := s.HashKey(plain)
	return account.APIKey{
		ID: uuid.NewString(), OrgID: orgID, Name: name, Prefix: keyPrefix(plain), Hash: hash[:],
		Scopes: scopes, CreatedAt: now.UTC(),
	}
}

// KeyProtocol is the prefix of the WebSocket subprotocol by which browsers, which cannot set headers, send their key:
// that of OpenAI's Realtime API.
const KeyProtocol = "openai-insecure-api-key."

// SubprotocolKey returns the key among the subprotocols that a WebSocket's client offers; empty: none.
func SubprotocolKey(h http.Header) (key string) {
	for _, name := range OfferedSubprotocols(h) {
		if found, ok := strings.CutPrefix(name, KeyProtocol); ok {
			key = found
		}
	}
	return key
}

// OfferedSubprotocols lists the subprotocols that a WebSocket's client offers.
func OfferedSubprotocols(h http.Header) (names []string) {
	for _, line := range h.Values("Sec-WebSocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
