package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// FirstUser is the name of the first user: an owner of the organization [account.Default].
const FirstUser = "admin"

// LinkFor is how long a set-up link is valid.
const LinkFor = 30 * time.Minute

// setupLink is the set-up link, kept as a hash; the zero value is invalid.
type setupLink struct {
	hash  []byte
	until time.Time
}

// ErrLink means that a set-up link is invalid: used, expired, or never issued.
var ErrLink = store.Errorf(store.CodeNotFound, "this set-up link was used already or is too old")

// BootstrapAdmin creates the first user while there is none: with the password, or, when that is empty, by a one-time
// set-up link whose token it returns. If users exist it does nothing.
func (a *AccountService) BootstrapAdmin(ctx context.Context, password string) (token string, err error) {
	all, err := a.people.ListUsers(ctx, "")
	if err != nil || len(all) > 0 {
		return "", err
	}
	if password == "" {
		return a.openLink(), nil
	}
	if err := checkLength(password); err != nil {
		return "", fmt.Errorf("MUNADI_BOOTSTRAP_ADMIN_PASSWORD: %w", err)
	}
	if err := CheckPassword(password, FirstUser); err != nil {
		a.log.Warn("the first user has a weak password; change it in the console", "why", err.Error())
	}
	until := a.passwordExpiry(password)
	_, err = a.createUser(ctx, account.Default, FirstUser, account.Owner, password, until, "appliance")
	return "", err
}

// NeedsSetUp reports whether there is no user yet: the set-up link, or the command line, makes the first one. Users are
// read until there is one, since anybody may ask.
func (a *AccountService) NeedsSetUp(ctx context.Context) (bool, error) {
	if a.isSetUp.Load() {
		return false, nil
	}
	all, err := a.people.ListUsers(ctx, "")
	if err == nil && len(all) > 0 {
		a.isSetUp.Store(true)
	}
	return len(all) == 0, err
}

// openLink issues a set-up link, which invalidates an older one.
func (a *AccountService) openLink() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	token := newToken()
	a.linked = setupLink{a.hashOf("set-up " + token), a.now().Add(LinkFor)}
	return token
}

// CanSetUp reports whether a set-up link's token is valid; [ErrLink] when not.
func (a *AccountService) CanSetUp(ctx context.Context, token string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.checkSetupToken(ctx, token)
}

// checkSetupToken validates a token; mu is held. A user who was created in the meantime, by command, invalidates the
// link.
func (a *AccountService) checkSetupToken(ctx context.Context, token string) error {
	fits := subtle.ConstantTimeCompare(a.linked.hash, a.hashOf("set-up "+token)) == 1
	if !fits || !a.now().Before(a.linked.until) {
		return ErrLink
	}
	all, err := a.people.ListUsers(ctx, "")
	if err == nil && len(all) > 0 {
		return ErrLink
	}
	return err
}

// SetUp creates the first user, signs it in and invalidates the link. [ErrLink], or a [*WeakPassword], after which
// the link is still valid.
func (a *AccountService) SetUp(
	ctx context.Context, token, password string, from SignInOrigin,
) (string, account.User, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.checkSetupToken(ctx, token); err != nil {
		return "", account.User{}, err
	}
	u, err := a.CreateUser(ctx, account.Default, FirstUser, account.Owner, password, "set-up link")
	if err != nil {
		return "", u, err
	}
	a.linked = setupLink{}
	session, err := a.beginSession(ctx, u, from)
	return session, u, err
}

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
