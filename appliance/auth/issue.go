package auth

import (
	"context"
	"time"

	"github.com/google/uuid"

	"munadi/store/account"
)

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
