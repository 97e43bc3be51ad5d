// Package store is the storage contract (repository interfaces) of the appliance: organizations, keys, users, calls,
// jobs, webhook deliveries, alerts, audit trail. Every database implements it.
//
// Each method is one atomic, durable transaction: it happens whole or not at all, and once it returns without error its
// effect survives loss of power. The store never reads the clock: methods that depend on time take it as an argument.
// Business rules are in the leaf packages of the records (account, call, callrules, delivery, inbound, job,
// restaurant); the contract defines what is stored and found, so that two databases cannot differ in a rule.
//
// Tenant isolation: records of an organization are looked up with the organization's id; another organization's record
// is reported as not found. Errors that a caller may act on are of type [*Error]; [CodeOf] returns their code.
//
// Damage: a record that cannot be read is never reported as missing. A method that reads one record fails with
// [CodeCorrupt]; one that lists, counts, claims or sweeps records goes on with the others. Both name it in the
// [DamageReport] of their context and, once, in the log.
//
// Audit: a method that takes an actor writes its entry of the audit trail in the same transaction as the change, so
// that neither exists without the other; a refused call writes none. The actor is "key:ID", "user:ID", "command line"
// or a worker. Changes that a worker makes to a call are recorded in its timeline only.
//
// The store imports no HTTP handlers, workers or engine. Package records holds the methods that are the same on every
// database, over the small interface of package driver; packages badger and postgres are the databases. Package
// storetest is the conformance suite that every implementation passes.
package store

import (
	"context"
	"io"
	"time"

	"munadi/store/account"
	"munadi/store/restaurant"
)

// Store is the whole storage contract. It is safe for concurrent use; a method called after Close fails with
// [CodeClosed].
type Store interface {
	InstallationStore
	OrganizationStore
	KeyStore
	UserStore
	RestaurantStore
	JobStore
	CallStore
	CampaignStore
	ScenarioStore
	CallRulesStore
	InboundStore
	MailStore
	TrunkStore
	OutboxStore
	DestinationStore
	AlertStore
	BulkStore
	ReplayStore
	LiveSessions
	AuditStore
	ForwardingStore
	ChangeWatcher
	// WriteBackup writes a consistent snapshot of the whole database (online backup) while other calls continue. The
	// format is that of package dump, ends with a checksum, and is never encrypted, even when the database is. Damaged
	// records are left out, and the snapshot says which.
	WriteBackup(ctx context.Context, w io.Writer) error
	io.Closer
}

// OrganizationStore stores the tenants.
type OrganizationStore interface {
	// Bootstrap creates the first organization and, unless key is nil, its first API key. It works once in the lifetime of
	// the store: it returns true when it created them, and false without a change on every later call. An existing
	// organization of that id is kept.
	Bootstrap(ctx context.Context, first account.Organization, key *account.APIKey, now time.Time) (bool, error)
	// CreateOrganization adds an organization, with the audit entry organization.create in its own trail. CodeInvalid
	// for a malformed id, CodeConflict for an id in use.
	CreateOrganization(ctx context.Context, o account.Organization, actor string) error
	// FindOrganization returns the organization of an id. CodeNotFound without one.
	FindOrganization(ctx context.Context, id string) (account.Organization, error)
	// RequireSecondFactor sets whether an organization's users must have a second factor, with the audit entry
	// organization.second_factor and the note "required" or "optional". CodeNotFound without the organization.
	RequireSecondFactor(ctx context.Context, id, actor string, now time.Time, required bool) error
	// ListOrganizations lists all organizations, by id.
	ListOrganizations(ctx context.Context) ([]account.Organization, error)
}

// KeyStore stores the API keys by the hash of their secret.
type KeyStore interface {
	// CreateKey adds a key; the audit entry key.create names its prefix, and its name and scopes as "NAME: SCOPES".
	// CodeNotFound for an unknown organization, CodeConflict for an id or hash in use.
	CreateKey(ctx context.Context, key account.APIKey, actor string) error
	// FindKey returns the key of an id in any organization: for administrators of the installation. CodeNotFound
	// without one.
	FindKey(ctx context.Context, id string) (account.APIKey, error)
	// KeyByHash returns the key whose secret has this hash, revoked or not. CodeNotFound without one.
	KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error)
	// ListKeys lists an organization's keys, oldest first, revoked ones included.
	ListKeys(ctx context.Context, orgID string) ([]account.APIKey, error)
	// RevokeKey revokes a key permanently and returns it; the audit entry key.revoke names its prefix and name.
	// Revoking again keeps the first time and writes no entry. CodeNotFound without such a key in the organization.
	RevokeKey(ctx context.Context, orgID, id, actor string, now time.Time) (account.APIKey, error)
	// TouchKey records the last use of a key at now, unless a later one is recorded. CodeNotFound without one.
	TouchKey(ctx context.Context, orgID, id string, now time.Time) error
}

// RestaurantStore stores the sessions in restaurant mode and each organization's phrases for it.
type RestaurantStore interface {
	// SetSession sets the mode of a session at now.
	SetSession(ctx context.Context, orgID, id string, mode restaurant.SessionMode, now time.Time) error
	// TouchSession returns the mode of a session at now; a session that is unknown, or idle for [restaurant.Idle], is in
	// the default mode. It restarts the idle timeout of a session that is in restaurant mode, and never enters the mode,
	// so a request in flight cannot undo another request that left it.
	TouchSession(ctx context.Context, orgID, id string, now time.Time) (restaurant.RestaurantSession, error)
	// ExpireSessions removes the sessions whose idle timeout is over at now and returns their number.
	ExpireSessions(ctx context.Context, now time.Time) (int, error)

	// FindPhrases returns an organization's own phrases; nil means that it uses the built-in ones.
	FindPhrases(ctx context.Context, orgID string) (*restaurant.PhraseSet, error)
	// ChangePhrases is a read-modify-write of an organization's phrases in one transaction, so that no concurrent change
	// is lost; a set without any list restores the built-in ones. change may be called again; its error is returned
	// unchanged and leaves the phrases unchanged. Audit entry: phrases.put, or phrases.reset. CodeNotFound without the
	// organization.
	ChangePhrases(ctx context.Context, orgID, actor string, now time.Time, change func(*restaurant.PhraseSet) error) error
}
