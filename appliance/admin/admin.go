// Package admin does what the commands of the operator need of the database: in the running appliance, over a unix
// socket in its data folder, or in the database itself when no appliance runs on it.
//
// Only one process can have the database open, so a command must not care who that is: [OpenAdmin] finds out. [LocalAdmin] does
// the work wherever the database is open; [NewHandler] serves a Local on the socket, and the remote side speaks to it.
// Whoever can write to the socket (0600, in a folder of the appliance's own user) governs the appliance; there is no
// other credential. Nothing of this is reachable over the network.
//
// The package knows the store and auth, and neither the appliance's doors nor how commands print.
package admin

import (
	"context"
	"io"
	"time"

	"munadi/appliance/auth"
	"munadi/store"
	"munadi/store/account"
)

// AdminService is what can be done, here or in the running appliance. Errors are the store's, told apart by [store.CodeOf].
type AdminService interface {
	// CreateKey makes a key and returns it with what its holder presents, shown this once. CodeNotFound without the
	// organization, CodeInvalid for a name or scope that cannot be.
	CreateKey(ctx context.Context, orgID, name string, scopes []string) (KeyView, string, error)
	// ListKeys lists an organization's keys, oldest first; all organizations' for an empty id. CodeNotFound without it.
	ListKeys(ctx context.Context, orgID string) ([]KeyView, error)
	// RevokeKey ends a key at once. CodeNotFound without it.
	RevokeKey(ctx context.Context, id string) (KeyView, error)
	// CreateOrganization adds an organization; an empty name is its id. CodeInvalid for an id that cannot be,
	// CodeConflict for one in use.
	CreateOrganization(ctx context.Context, id, name string) (account.Organization, error)
	// ListOrganizations lists all, by id.
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
	// CreateUser adds a console user. CodeNotFound without the organization, CodeInvalid for a name, role or password
	// that cannot be, CodeConflict for a name in use.
	CreateUser(ctx context.Context, orgID, name string, role account.UserRole, password string) (UserView, error)
	// ListUsers lists an organization's users, by name; all for an empty id.
	ListUsers(ctx context.Context, orgID string) ([]UserView, error)
	// SetPassword gives a user a new password and ends its sessions. CodeNotFound without it.
	SetPassword(ctx context.Context, name, password string) (UserView, error)
	// WriteBackup writes a dump of the database as it stands, which is whole when its end is there.
	WriteBackup(ctx context.Context, w io.Writer) error
	// Close lets go of the connection or the database.
	Close() error
}

// KeyView is an API key as an operator sees it.
type KeyView struct {
	ID         string             `json:"id"`
	OrgID      string             `json:"org"`
	Name       string             `json:"name"`
	Prefix     string             `json:"prefix"`
	Scopes     []account.KeyScope `json:"scopes"`
	CreatedAt  time.Time          `json:"created_at"`
	LastUsedAt *time.Time         `json:"last_used_at"`
	RevokedAt  *time.Time         `json:"revoked_at"`
}

// newKeyView is a key without its hash.
func newKeyView(k account.APIKey) KeyView {
	return KeyView{
		ID: k.ID, OrgID: k.OrgID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes,
		CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, RevokedAt: k.RevokedAt,
	}
}

// LocalAdmin is an Admin where the database is open.
type LocalAdmin struct {
	auth     *auth.KeyVerifier
	accounts *auth.AccountService
	store    store.Store
	close    func() error // nil where the store is another's to close
}

// NewLocal is an Admin over an open store, which stays open when it is closed. auth must be the one that verifies
// requests, so that a revocation reaches them.
func NewLocal(a *auth.KeyVerifier, s store.Store) *LocalAdmin {
	return &LocalAdmin{auth: a, accounts: a.NewAccountService(s), store: s}
}

// WithAccounts is the same with the accounts that people sign in to, so that a new password lifts a lock.
func (l *LocalAdmin) WithAccounts(accounts *auth.AccountService) *LocalAdmin {
	l.accounts = accounts
	return l
}

// CreateKey implements [AdminService].
func (l *LocalAdmin) CreateKey(ctx context.Context, orgID, name string, scopes []string) (KeyView, string, error) {
	parsed, err := account.ParseScopes(scopes)
	if err != nil {
		return KeyView{}, "", store.Errorf(store.CodeInvalid, "%v", err)
	}
	if err := auth.CheckName(name); err != nil {
		return KeyView{}, "", store.Errorf(store.CodeInvalid, "%v", err)
	}
	key, plain, err := l.auth.IssueKey(ctx, orgID, name, parsed)
	return newKeyView(key), plain, err
}

// ListKeys implements [AdminService].
func (l *LocalAdmin) ListKeys(ctx context.Context, orgID string) ([]KeyView, error) {
	owners, err := l.listOwners(ctx, orgID)
	if err != nil {
		return nil, err
	}
	all := []KeyView{}
	for _, owner := range owners {
		keys, err := l.store.ListKeys(ctx, owner.ID)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			all = append(all, newKeyView(k))
		}
	}
	return all, nil
}

// listOwners is the organization of that id, or all for an empty one.
func (l *LocalAdmin) listOwners(ctx context.Context, orgID string) ([]account.Organization, error) {
	if orgID == "" {
		return l.store.ListOrganizations(ctx)
	}
	owner, err := l.store.FindOrganization(ctx, orgID)
	return []account.Organization{owner}, err
}

// RevokeKey implements [AdminService].
func (l *LocalAdmin) RevokeKey(ctx context.Context, id string) (KeyView, error) {
	key, err := l.auth.RevokeKey(ctx, id)
	return newKeyView(key), err
}

// Close implements [AdminService].
func (l *LocalAdmin) Close() error {
	if l.close == nil {
		return nil
	}
	return l.close()
}
