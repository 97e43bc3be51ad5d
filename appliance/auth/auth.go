// Package auth says who a request comes from: it makes API keys, knows them again, and ends them; and it signs people
// in to the console and keeps their sessions.
//
// A generated key is "mnd_", 43 characters for its 32 random bytes and 6 for the CRC-32 of what stands before them,
// all in base62, so that a double click selects it whole and a scanner of source code can tell it from noise. Only
// generated keys carry the tail: a key that the operator chose for the first start may be any 16 to 256 printable
// characters, so the tail never decides whether a key is let in, only how the log calls one that is not.
//
// The store has the HMAC-SHA-256 of a key under the installation's secret, a file beside the database: neither the
// database alone nor a copy of it opens anything. What was presented is never kept, written or logged.
//
// Choices where the contract is silent: to its holder every refusal looks the same, missing, malformed, unknown or
// revoked; only [RefusalReason] tells them apart, for the log. The prefix shown of a generated key is its first 12
// characters; of one that the operator chose a quarter, 8 at most, because it may be short.
//
// People have a name and a password, kept as argon2id with OWASP's parameters and hashed few at a time. Guessing gets
// slower by account and by address; a browser that has signed in before has a device cookie and a counter of its own. A session is 32 random bytes in a cookie, kept as their HMAC; it ends 12 hours
// after its last use and 30 days after the sign-in. The first user is made by a password that the operator gave, or by
// a link that opens once within half an hour. Choices where the contract is silent: failures are counted in memory, so
// that a restart forgives them; no rule wants digits or marks in a password.
//
// The package knows the store's keys and users and no HTTP beyond the Authorization header's value.
package auth

import (
	"context"
	"crypto/hmac"
	"log/slog"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// KeyStore is what auth needs of the store; store.Store has it.
type KeyStore interface {
	CreateKey(ctx context.Context, key account.APIKey) error
	FindKey(ctx context.Context, id string) (account.APIKey, error)
	KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error)
	RevokeKey(ctx context.Context, orgID, id string, now time.Time) (account.APIKey, error)
	TouchKey(ctx context.Context, orgID, id string, now time.Time) error
}

// Principal is who a request comes from.
type Principal struct {
	OrgID  string
	KeyID  string
	Scopes []account.KeyScope
	Alive  AccessCheck // whether it still holds, for [GuardAccess]; nil: until the answer ends
}

// HasScope says whether the principal may do what scope covers.
func (p Principal) HasScope(scope account.KeyScope) bool {
	return account.AllowsScope(p.Scopes, scope)
}

// KeyVerifier verifies keys. It is safe for concurrent use; [KeyVerifier.Run] must run for last uses to be recorded.
type KeyVerifier struct {
	keys    KeyStore
	secret  InstallationSecret
	now     func() time.Time
	cache   *keyCache
	touches *keyUseRecorder
}

// NewKeyVerifier is an Auth over keys, hashed under secret. now is the clock, log hears what goes wrong in the background.
func NewKeyVerifier(keys KeyStore, secret InstallationSecret, now func() time.Time, log *slog.Logger) *KeyVerifier {
	return &KeyVerifier{
		keys: keys, secret: secret, now: now,
		cache:   newCache(cacheSize),
		touches: newTouches(keys, log),
	}
}

// VerifyKey says whose key presented is. A refusal is a [*KeyRefusal]; any other error means that nobody could tell.
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
	a.touches.queueUse(who, now)
	return who, nil
}

// VerifyHeader is Verify for the value of an Authorization header.
func (a *KeyVerifier) VerifyHeader(ctx context.Context, value string) (Principal, error) {
	presented, err := BearerToken(value)
	if err != nil {
		return Principal{}, err
	}
	return a.VerifyKey(ctx, presented)
}

// lookUp asks the store whose key has this hash, and caches the answer if it is a live one.
func (a *KeyVerifier) lookUp(ctx context.Context, hash KeyHash, presented string, now time.Time) (Principal, error) {
	generation := a.cache.generation()
	key, err := a.keys.KeyByHash(ctx, hash[:])
	switch {
	case store.CodeOf(err) == store.CodeNotFound:
		return Principal{}, &KeyRefusal{unknownKeyReason(presented)}
	case err != nil:
		return Principal{}, err
	case !hmac.Equal(key.Hash, hash[:]): // an index astray must not let anybody in
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
