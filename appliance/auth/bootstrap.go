package auth

import (
	"context"
	"errors"
	"time"

	"munadi/store/org"
)

// Bootstrapper is what [Bootstrap] needs of the store; store.Store has it.
type Bootstrapper interface {
	Bootstrap(ctx context.Context, first org.Organization, key *org.Key, now time.Time) (bool, error)
}

// Bootstrap makes the organization [org.Default] and, unless plain is empty, a key of it with all scopes that is
// plain itself. It does so on the first start of an installation only, and says whether this is it.
func Bootstrap(ctx context.Context, s Bootstrapper, secret Secret, plain string, now time.Time) (bool, error) {
	first := org.Organization{ID: org.Default, Name: "Default", CreatedAt: now.UTC()}
	if plain == "" {
		return s.Bootstrap(ctx, first, nil, now)
	}
	if err := CheckBootstrapKey(plain); err != nil {
		return false, err
	}
	key := secret.record(org.Default, "bootstrap", plain, org.Scopes(), now)
	return s.Bootstrap(ctx, first, &key, now)
}

// CheckBootstrapKey says whether plain may be a key that an operator chose. The error does not repeat it.
func CheckBootstrapKey(plain string) error {
	if !possible(plain) {
		return errors.New("an API key has 16 to 256 printable characters, and no space at either end")
	}
	return nil
}
