// Package admin executes the operator's commands that need the database: in the running appliance, through its admin
// socket (a unix socket in the data folder), or on the database itself when no appliance runs on it.
//
// Only one process can have the database open, and callers need not know which: [OpenAdmin] chooses. [LocalAdmin] works
// on the open database; [NewHandler] serves a LocalAdmin on the socket, and the client side connects to it. Access to
// the socket (0600, in a folder of the appliance's user) is full control of the appliance; there is no other
// credential. It is not reachable over the network.
//
// The package depends on the store and auth, not on the HTTP APIs or the commands' output.
package admin

import (
	"context"
	"io"
	"time"

	"munadi/appliance/auth"
	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
)

// AdminService is the set of operations, on the local database or in the running appliance. Errors are the store's, see
// [store.CodeOf].
type AdminService interface {
	// CreateKey creates an API key and returns its record and the key itself, which cannot be shown again.
	// CodeNotFound without the organization, CodeInvalid for an invalid name or scope.
	CreateKey(ctx context.Context, orgID, name string, scopes []string) (KeyView, string, error)
	// ListKeys lists an organization's keys, oldest first; all organizations' for an empty id. CodeNotFound without it.
	ListKeys(ctx context.Context, orgID string) ([]KeyView, error)
	// RevokeKey revokes a key at once. CodeNotFound without it.
	RevokeKey(ctx context.Context, id string) (KeyView, error)
	// CreateOrganization adds an organization; an empty name defaults to the id. CodeInvalid for an invalid id,
	// CodeConflict for one in use.
	CreateOrganization(ctx context.Context, id, name string) (account.Organization, error)
	// ListOrganizations lists all, sorted by id.
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
	// CreateUser adds a console user. CodeNotFound without the organization, CodeInvalid for an invalid name, role or
	// password, CodeConflict for a name in use.
	CreateUser(ctx context.Context, orgID, name string, role account.UserRole, password string) (UserView, error)
	// ListUsers lists an organization's users, by name; all for an empty id.
	ListUsers(ctx context.Context, orgID string) ([]UserView, error)
	// SetPassword sets a user's password and ends its sessions. CodeNotFound without it.
	SetPassword(ctx context.Context, name, password string) (UserView, error)
	// WriteBackup writes a consistent snapshot of the database; an incomplete one lacks its end marker.
	WriteBackup(ctx context.Context, w io.Writer) error
	// VerifyAudit verifies the audit log of every organization, by id.
	VerifyAudit(ctx context.Context) ([]AuditReport, error)
	// Close closes the connection or the database.
	Close() error
}

// KeyView is an API key for display, without its hash.
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

// newKeyView returns a key without its hash.
func newKeyView(k account.APIKey) KeyView {
	return KeyView{
		ID: k.ID, OrgID: k.OrgID, Name: k.Name, Prefix: k.Prefix, Scopes: k.Scopes,
		CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt, RevokedAt: k.RevokedAt,
	}
}

// LocalAdmin implements AdminService on an open database.
type LocalAdmin struct {
	auth     *auth.KeyVerifier
	accounts *auth.AccountService
	store    store.Store
	close    func() error // nil if the caller closes the store
}

// NewLocal returns an AdminService over an open store, which Close leaves open. a must be the verifier of requests,
// so that a revocation takes effect at once.
func NewLocal(a *auth.KeyVerifier, s store.Store) *LocalAdmin {
	return &LocalAdmin{auth: a, accounts: a.NewAccountService(s), store: s}
}

// WithAccounts uses the account service of the console, so that a new password ends a lockout.
func (l *LocalAdmin) WithAccounts(accounts *auth.AccountService) *LocalAdmin {
	l.accounts = accounts
	return l
}

// CreateKey implements [AdminService].
func (l *LocalAdmin) CreateKey(ctx context.Context, orgID, name string, scopes []string) (KeyView, string, error) {
	cases := service.UseCases{Keys: l.auth}
	key, plain, err := cases.CreateKey(ctx, service.Caller{OrgID: orgID, Actor: actor}, name, scopes)
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

// listOwners returns the organization of that id, or all for an empty one.
func (l *LocalAdmin) listOwners(ctx context.Context, orgID string) ([]account.Organization, error) {
	if orgID == "" {
		return l.store.ListOrganizations(ctx)
	}
	owner, err := l.store.FindOrganization(ctx, orgID)
	return []account.Organization{owner}, err
}

// RevokeKey implements [AdminService].
func (l *LocalAdmin) RevokeKey(ctx context.Context, id string) (KeyView, error) {
	key, err := l.auth.RevokeKey(ctx, id, actor)
	return newKeyView(key), err
}

// Close implements [AdminService].
func (l *LocalAdmin) Close() error {
	if l.close == nil {
		return nil
	}
	return l.close()
}
