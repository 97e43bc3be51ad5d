// Package admin does what the commands of the operator need of the database: in the running appliance, over a unix
// socket in its data folder, or in the database itself when no appliance runs on it.
//
// Only one process can have the database open, so a command must not care who that is: [Open] finds out. [Local] does
// the work wherever the database is open; [Handler] serves a Local on the socket, and the remote side speaks to it.
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
	"munadi/store/org"
)

// Admin is what can be done, here or in the running appliance. Errors are the store's, told apart by [store.CodeOf].
type Admin interface {
	// CreateKey makes a key and returns it with what its holder presents, shown this once. CodeNotFound without the
	// organization, CodeInvalid for a name or scope that cannot be.
	CreateKey(ctx context.Context, orgID, name string, scopes []string) (Key, string, error)
	// Keys lists an organization's keys, oldest first; all organizations' for an empty id. CodeNotFound without it.
	Keys(ctx context.Context, orgID string) ([]Key, error)
	// RevokeKey ends a key at once. CodeNotFound without it.
	RevokeKey(ctx context.Context, id string) (Key, error)
	// CreateOrganization adds an organization; an empty name is its id. CodeInvalid for an id that cannot be,
	// CodeConflict for one in use.
	CreateOrganization(ctx context.Context, id, name string) (org.Organization, error)
	// Organizations lists all, by id.
	Organizations(ctx context.Context) ([]org.Organization, error)
	// CreateUser adds a console user. CodeNotFound without the organization, CodeInvalid for a name, role or password
	// that cannot be, CodeConflict for a name in use.
	CreateUser(ctx context.Context, orgID, name string, role org.Role, password string) (User, error)
	// Users lists an organization's users, by name; all for an empty id.
	Users(ctx context.Context, orgID string) ([]User, error)
	// SetPassword gives a user a new password and ends its sessions. CodeNotFound without it.
	SetPassword(ctx context.Context, name, password string) (User, error)
	// Backup writes a dump of the database as it stands, which is whole when its end is there.
	Backup(ctx context.Context, w io.Writer) error
	// Close lets go of the connection or the database.
	Close() error
}

// Key is an API key as an operator sees it.
type Key struct {
	ID         string      `json:"id"`
	OrgID      string      `json:"org"`
	Name       string      `json:"name"`
	Prefix     string      `json:"prefix"`
	Scopes     []org.Scope `json:"scopes"`
	CreatedAt  time.Time   `json:"created_at"`
	LastUsedAt *time.Time  `json:"last_used_at"`
	RevokedAt  *time.Time  `json:"revoked_at"`
}

// view is a key without its hash.
func view(k org.Key) Key {
	return Key{
		ID: k.ID, OrgID: k.OrgID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes,
		CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, RevokedAt: k.RevokedAt,
	}
}

// Local is an Admin where the database is open.
type Local struct {
	auth     *auth.Auth
	accounts *auth.Accounts
	store    store.Store
	close    func() error // nil where the store is another's to close
}

// NewLocal is an Admin over an open store, which stays open when it is closed. auth must be the one that verifies
// requests, so that a revocation reaches them.
func NewLocal(a *auth.Auth, s store.Store) *Local {
	return &Local{auth: a, accounts: a.Accounts(s), store: s}
}

// Over is the same with the accounts that people sign in to, so that a new password lifts a lock.
func (l *Local) Over(accounts *auth.Accounts) *Local {
	l.accounts = accounts
	return l
}

// CreateKey implements [Admin].
func (l *Local) CreateKey(ctx context.Context, orgID, name string, scopes []string) (Key, string, error) {
	parsed, err := org.ParseScopes(scopes)
	if err != nil {
		return Key{}, "", store.Errorf(store.CodeInvalid, "%v", err)
	}
	if err := auth.CheckName(name); err != nil {
		return Key{}, "", store.Errorf(store.CodeInvalid, "%v", err)
	}
	key, plain, err := l.auth.Issue(ctx, orgID, name, parsed)
	return view(key), plain, err
}

// Keys implements [Admin].
func (l *Local) Keys(ctx context.Context, orgID string) ([]Key, error) {
	owners, err := l.owners(ctx, orgID)
	if err != nil {
		return nil, err
	}
	all := []Key{}
	for _, owner := range owners {
		keys, err := l.store.Keys(ctx, owner.ID)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			all = append(all, view(k))
		}
	}
	return all, nil
}

// owners is the organization of that id, or all for an empty one.
func (l *Local) owners(ctx context.Context, orgID string) ([]org.Organization, error) {
	if orgID == "" {
		return l.store.Organizations(ctx)
	}
	owner, err := l.store.Organization(ctx, orgID)
	return []org.Organization{owner}, err
}

// RevokeKey implements [Admin].
func (l *Local) RevokeKey(ctx context.Context, id string) (Key, error) {
	key, err := l.auth.Revoke(ctx, id)
	return view(key), err
}

// Close implements [Admin].
func (l *Local) Close() error {
	if l.close == nil {
		return nil
	}
	return l.close()
}
