// Package store is what the appliance remembers: the contract that every database behind it fulfils.
//
// A method is a fact, not a row operation: it happens whole or not at all, in one transaction, and when it returns
// without error it survives the loss of power. The clock is never read here: whatever depends on time is told it.
// Rules live in the leaf packages of the records (org, restaurant, job); the contract only says what is kept and
// found again, so that two databases cannot disagree about a rule.
//
// What belongs to an organization is looked up with the organization's id; another organization's record looks the
// same as none. Errors that a caller may act on are of type [*Error], told apart by [CodeOf].
//
// The store must not know doors, workers or the engine. Package badger is the embedded implementation; package
// storetest is the suite that every implementation passes.
package store

import (
	"context"
	"io"
	"time"

	"munadi/store/account"
	"munadi/store/restaurant"
)

// Store is everything that the appliance remembers. It is safe for concurrent use; a method called after Close
// fails with [CodeClosed].
type Store interface {
	InstallationStore
	OrganizationStore
	KeyStore
	UserStore
	RestaurantStore
	JobStore
	CallStore
	ScenarioStore
	CallRulesStore
	OutboxStore
	LiveSessions
	AuditStore
	ChangeWatcher
	// WriteBackup writes all of it as it stands at one moment, while others go on writing; the form is the database's own,
	// ends with a checksum, and is not encrypted, whatever the database is.
	WriteBackup(ctx context.Context, w io.Writer) error
	io.Closer
}

// OrganizationStore are the tenants.
type OrganizationStore interface {
	// Bootstrap makes the first organization and, unless key is nil, its first key, once in the life of the store:
	// it says true when it did, and false, changing nothing, ever after. An organization of that id that is there
	// already is kept as it is.
	Bootstrap(ctx context.Context, first account.Organization, key *account.APIKey, now time.Time) (bool, error)
	// CreateOrganization adds an organization. CodeInvalid for an id that may not be, CodeConflict for one in use.
	CreateOrganization(ctx context.Context, o account.Organization) error
	// FindOrganization finds one by its id. CodeNotFound without one.
	FindOrganization(ctx context.Context, id string) (account.Organization, error)
	// ListOrganizations lists all, by id.
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
}

// KeyStore are the API keys, kept by their hash.
type KeyStore interface {
	// CreateKey adds a key. CodeNotFound without its organization, CodeConflict for an id or hash in use.
	CreateKey(ctx context.Context, key account.APIKey) error
	// FindKey finds one by its id, in whatever organization: for those who govern all. CodeNotFound without one.
	FindKey(ctx context.Context, id string) (account.APIKey, error)
	// KeyByHash finds the key whose holder presented what has this hash, revoked or not. CodeNotFound without one.
	KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error)
	// ListKeys lists an organization's keys, oldest first, revoked ones included.
	ListKeys(ctx context.Context, orgID string) ([]account.APIKey, error)
	// RevokeKey ends a key for good and returns it; the time of a second revocation is not kept. CodeNotFound
	// without such a key in the organization.
	RevokeKey(ctx context.Context, orgID, id string, now time.Time) (account.APIKey, error)
	// TouchKey records that a key was used at now, if that is later than what is recorded. CodeNotFound without one.
	TouchKey(ctx context.Context, orgID, id string, now time.Time) error
}

// RestaurantStore are the sessions in restaurant mode, and each organization's phrases for it.
type RestaurantStore interface {
	// FindSession is a session's mode at now; one never seen, or idle for [restaurant.Idle], is in the default mode.
	FindSession(ctx context.Context, orgID, id string, now time.Time) (restaurant.RestaurantSession, error)
	// SetSession puts a session into a mode at now.
	SetSession(ctx context.Context, orgID, id string, mode restaurant.SessionMode, now time.Time) error
	// TouchSession is Session, and restarts the idle time of one that is in restaurant mode. It never begins the
	// mode: a request that was on its way while another ended the mode does not bring it back.
	TouchSession(ctx context.Context, orgID, id string, now time.Time) (restaurant.RestaurantSession, error)
	// ExpireSessions forgets the sessions that have idled away at now and says how many.
	ExpireSessions(ctx context.Context, now time.Time) (int, error)

	// FindPhrases are an organization's own ones; nil means that it uses the built-in ones.
	FindPhrases(ctx context.Context, orgID string) (*restaurant.PhraseSet, error)
	// PutPhrases replaces them; nil goes back to the built-in ones. CodeNotFound without the organization.
	PutPhrases(ctx context.Context, orgID string, phrases *restaurant.PhraseSet) error
}
