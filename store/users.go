package store

import (
	"context"
	"time"

	"munadi/store/account"
)

// UserStore are the people who sign in to the console, and their sessions.
type UserStore interface {
	// CreateUser adds a user. CodeConflict for an id or name in use (names are compared without case), CodeNotFound
	// without the organization.
	CreateUser(ctx context.Context, u account.User, actor string) error
	// FindUser finds one by its id, UserByName by its name, in whatever organization. CodeNotFound without one.
	FindUser(ctx context.Context, id string) (account.User, error)
	UserByName(ctx context.Context, name string) (account.User, error)
	// ListUsers lists an organization's, by name; all for an empty id.
	ListUsers(ctx context.Context, orgID string) ([]account.User, error)
	// ChangeUser lets change alter a user in one transaction; its id, organization and name stay. The change's error is
	// returned as it is, and nothing is written. CodeConflict when it would leave the organization without an owner who
	// may sign in. what says it in the audit trail, which password and role changes are in.
	ChangeUser(ctx context.Context, id, what, actor string, now time.Time, change func(*account.User) error) (account.User, error)
	// DeleteUser removes a user and its sessions. CodeConflict for the last owner of its organization who may sign in.
	DeleteUser(ctx context.Context, id, actor string, now time.Time) error

	// CreateSession begins a session; the user's last sign-in and a line of the audit trail are recorded with it.
	// CodeNotFound without the user.
	CreateSession(ctx context.Context, s account.UserSession) error
	// SessionByHash finds a session that has not expired at now, and its user. CodeNotFound without one.
	SessionByHash(ctx context.Context, hash []byte, now time.Time) (account.UserSession, account.User, error)
	// TouchWebSession records that a session was used at now, and when it ends unless it is used again.
	TouchWebSession(ctx context.Context, hash []byte, now, expires time.Time) error
	// ListSessions lists a user's that have not expired, newest first.
	ListSessions(ctx context.Context, userID string, now time.Time) ([]account.UserSession, error)
	// EndSession ends one, if it is there; EndSessions all of a user but one (nil: all), and says how many.
	EndSession(ctx context.Context, hash []byte) error
	EndSessions(ctx context.Context, userID string, but []byte) (int, error)
	// ExpireWebSessions forgets the sessions that expired, and says how many.
	ExpireWebSessions(ctx context.Context, now time.Time) (int, error)

	// AddAudit adds a line to an organization's audit trail for what no other fact tells of: a refused sign-in, a key made.
	// CodeNotFound without the organization.
	AddAudit(ctx context.Context, orgID string, c AuditEntry) error
}
