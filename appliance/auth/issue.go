package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"munadi/store/account"
)

// maxName is the length of a key's name at most, in characters.
const maxName = 80

// IssueKey makes a new key for an organization and returns it with what its holder must present, which exists nowhere
// else: shown once, or lost. [store.CodeNotFound] without the organization.
func (a *KeyVerifier) IssueKey(ctx context.Context, orgID, name string, scopes []account.KeyScope) (account.APIKey, string, error) {
	if err := CheckName(name); err != nil {
		return account.APIKey{}, "", err
	}
	plain := GenerateKey()
	key := a.secret.newKeyRecord(orgID, name, plain, scopes, a.now())
	if err := a.keys.CreateKey(ctx, key); err != nil {
		return account.APIKey{}, "", err
	}
	return key, plain, nil
}

// RevokeKey ends a key, whichever organization has it, and returns it. When it returns, the key opens nothing any more.
// [store.CodeNotFound] without it.
func (a *KeyVerifier) RevokeKey(ctx context.Context, id string) (account.APIKey, error) {
	key, err := a.keys.FindKey(ctx, id)
	if err != nil {
		return account.APIKey{}, err
	}
	return a.RevokeOwn(ctx, key.OrgID, id)
}

// RevokeOwn is Revoke for a key that must be the organization's own.
func (a *KeyVerifier) RevokeOwn(ctx context.Context, orgID, id string) (account.APIKey, error) {
	key, err := a.keys.RevokeKey(ctx, orgID, id, a.now())
	a.cache.clearKeys() // on failure too: it may have happened
	return key, err
}

// newKeyRecord is what the store keeps of a key.
func (s InstallationSecret) newKeyRecord(orgID, name, plain string, scopes []account.KeyScope, now time.Time) account.APIKey {
	hash := s.HashKey(plain)
	return account.APIKey{
		ID: uuid.NewString(), OrgID: orgID, Name: name, Prefix: keyPrefix(plain), Hash: hash[:],
		Scopes: scopes, CreatedAt: now.UTC(),
	}
}

// CheckName says whether a key may be called name: 1 to 80 printable characters.
func CheckName(name string) error {
	n := utf8.RuneCountInString(name)
	if strings.TrimSpace(name) == "" || n > maxName || !utf8.ValidString(name) {
		return fmt.Errorf("a key's name has 1 to %d characters", maxName)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return errors.New("a key's name holds only printable characters")
	}
	return nil
}
