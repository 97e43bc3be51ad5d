package auth

import (
	"context"
	"errors"
	"time"

	"munadi/store/account"
)

// BootstrapStore is the part of store.Store that [BootstrapOrganization] uses.
type BootstrapStore interface {
	Bootstrap(ctx context.Context, first account.Organization, key *account.APIKey, now time.Time) (bool, error)
}

// BootstrapOrganization creates the organization [account.Default] and, unless plain is empty, an API key with that
// value and all scopes. It does so on the first start of an installation only, and reports whether this is it.
func BootstrapOrganization(
	ctx context.Context, s BootstrapStore, secret InstallationSecret, plain string, now time.Time,
) (bool, error) {
	first := account.Organization{ID: account.Default, Name: "Default", CreatedAt: now.UTC()}
	if plain == "" {
		return s.Bootstrap(ctx, first, nil, now)
	}
	if err := CheckBootstrapKey(plain); err != nil {
		return false, err
	}
	key := secret.newKeyRecord(account.Default, "bootstrap", plain, account.AllScopes(), now)
	return s.Bootstrap(ctx, first, &key, now)
}

// CheckBootstrapKey checks the form of a key that an operator chose. The error does not repeat the key.
func CheckBootstrapKey(plain string) error {
	if !isPossibleKey(plain) {
		return errors.New("an API key has 16 to 256 printable characters, and no space at either end")
	}
	return nil
}
