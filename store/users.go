package store

import (
	"context"
	"time"

	"munadi/store/account"
)

// UserStore stores the console users and their sign-in sessions.
type UserStore interface {
	// CreateUser adds a user. CodeConflict for an id or name in use (names are case-insensitive), CodeNotFound without
	// the organization.
	CreateUser(ctx context.Context, u account.User, actor string) error
	// FindUser returns a user by id, UserByName by name, in any organization. CodeNotFound without one.
	FindUser(ctx context.Context, id string) (account.User, error)
	UserByName(ctx context.Context, name string) (account.User, error)
	// ListUsers lists an organization's users, by name; an empty id lists all.
	ListUsers(ctx context.Context, orgID string) ([]account.User, error)
	// ChangeUser is a read-modify-write of a user in one transaction; id, organization and name cannot change. The error
	// of change is returned unchanged, and nothing is written. CodeConflict when the organization would be left without an
	// active owner. what is the action in the audit trail.
	ChangeUser(
		ctx context.Context, id, what, actor string, now time.Time, change func(*account.User) error,
	) (account.User, error)
	// DeleteUser removes a user and its sessions. CodeConflict for the last active owner of its organization.
	DeleteUser(ctx context.Context, id, actor string, now time.Time) error

	// CreateSession starts a session, and records the user's last sign-in and an audit entry. CodeNotFound without the
	// user.
	CreateSession(ctx context.Context, s account.UserSession) error
	// SessionByHash returns a session that has not expired at now, and its user. CodeNotFound without one.
	SessionByHash(ctx context.Context, hash []byte, now time.Time) (account.UserSession, account.User, error)
	// TouchWebSession records the last use of a session at now and its new expiry (sliding expiration).
	TouchWebSession(ctx context.Context, hash []byte, now, expires time.Time) error
	// ListSessions lists a user's sessions that have not expired, newest first.
	ListSessions(ctx context.Context, userID string, now time.Time) ([]account.UserSession, error)
	// EndSession deletes a session if it exists; EndSessions deletes all sessions of a user except but (nil: no
	// exception) and returns their number.
	EndSession(ctx context.Context, hash []byte) error
	EndSessions(ctx context.Context, userID string, but []byte) (int, error)
	// ExpireWebSessions deletes the expired sessions and returns their number.
	ExpireWebSessions(ctx context.Context, now time.Time) (int, error)

	// ConfirmWebSession records that the user of a session authenticated again at now; external, unless empty, is the
	// identity provider's session from then on. CodeNotFound without a session that has not expired.
	ConfirmWebSession(ctx context.Context, hash []byte, now time.Time, external string) error

	// AddOneTime keeps a record that is accepted once. CodeConflict while one of its hash is kept that has not expired at
	// now, CodeInvalid without a hash.
	AddOneTime(ctx context.Context, r account.OneTimeRecord, now time.Time) error
	// TakeOneTime returns and deletes a record that has not expired at now; of two at once one gets it. CodeNotFound
	// without one.
	TakeOneTime(ctx context.Context, hash []byte, now time.Time) (account.OneTimeRecord, error)
	// ExpireOneTimes deletes the expired records and returns their number.
	ExpireOneTimes(ctx context.Context, now time.Time) (int, error)

	// AddAudit adds an audit entry for an event without a change of the store: a refused sign-in, a requested backup.
	// CodeNotFound without the organization.
	AddAudit(ctx context.Context, orgID string, c AuditEntry) error
}
