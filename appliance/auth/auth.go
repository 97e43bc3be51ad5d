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
	"time"

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
		Alive: func(ctx context.Context) (bool, error) { return a.KeyAlive(ctx, key.ID) },
	}
	a.cache.putPrincipal(hash, who, now, generation)
	return who, nil
}
