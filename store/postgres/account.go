package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/record"
)

var (
	settings      = tableOf[[]byte]{name: "settings", keys: []string{"name"}}
	organizations = tableOf[account.Organization]{name: "organizations", keys: []string{"id"}}
	apiKeys       = tableOf[account.APIKey]{
		name: "api_keys", keys: []string{"org", "id"}, others: []string{"hash", "made"},
		derive: func(k account.APIKey) []any { return []any{k.Hash, unixNanos(k.CreatedAt)} },
	}
)

// The rows of table settings: the time of the first start, and the installation's record.
const (
	bootstrapRow    = "bootstrap"
	installationRow = "installation"
)

// unixNanos returns a time as a column stores it: Unix time in nanoseconds; times before 1970 count as 1970.
func unixNanos(t time.Time) int64 { return max(t.UnixNano(), 0) }

// optionalNanos is [unixNanos] for an optional time; nil is NULL.
func optionalNanos(t *time.Time) any {
	if t == nil {
		return nil
	}
	return unixNanos(*t)
}

// timeOf decodes the time of a column; zero for NULL.
func timeOf(ns *int64) time.Time {
	if ns == nil {
		return time.Time{}
	}
	return time.Unix(0, *ns).UTC()
}

// FindInstallation implements [store.InstallationStore].
func (s *PostgresStore) FindInstallation(ctx context.Context) (*store.InstallationRecord, error) {
	var kept *store.InstallationRecord
	err := s.readRows(ctx, func(e *dbTx) error {
		raw, found, err := settings.find(e, installationRow)
		if err != nil || !found {
			return err
		}
		kept = &store.InstallationRecord{}
		return e.decodeReported(installationRow, raw, kept)
	})
	return kept, err
}

// ClaimInstallation implements [store.InstallationStore].
func (s *PostgresStore) ClaimInstallation(
	ctx context.Context, fresh store.InstallationRecord,
) (kept store.InstallationRecord, err error) {
	if fresh.ID == "" || len(fresh.SecretCheck) == 0 {
		return fresh, store.Errorf(store.CodeInvalid, "an installation record needs an id and a check of its secret")
	}
	err = s.updateTx(ctx, func(e *dbTx) error {
		raw, err := encodeRecord(fresh)
		if err != nil {
			return err
		}
		if kept = fresh; err == nil {
			if added, err := settings.add(e, raw, installationRow); err != nil || added {
				return err
			}
		}
		if raw, _, err = settings.find(e, installationRow); err != nil {
			return err
		}
		kept = store.InstallationRecord{}
		return e.decodeReported(installationRow, raw, &kept)
	})
	return kept, err
}

// Bootstrap implements [store.Store].
func (s *PostgresStore) Bootstrap(
	ctx context.Context, first account.Organization, k *account.APIKey, now time.Time,
) (made bool, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		raw, err := encodeRecord(now)
		if err != nil {
			return err
		}
		if made, err = settings.add(e, raw, bootstrapRow); err != nil || !made {
			return err
		}
		if err := createOrganization(e, first); err != nil && store.CodeOf(err) != store.CodeConflict {
			return err
		}
		if k == nil {
			return nil
		}
		return addKey(e, *k)
	})
	return made && err == nil, err
}

// CreateOrganization implements [store.Store].
func (s *PostgresStore) CreateOrganization(ctx context.Context, o account.Organization, actor string) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		addAudit(e, o.ID, store.AuditEntry{
			At: o.CreatedAt, Actor: actor, Action: "organization.create", Subject: o.ID,
		})
		return createOrganization(e, o)
	})
}

// createOrganization adds o unless its id is in use.
func createOrganization(e *dbTx, o account.Organization) error {
	if err := account.CheckID(o.ID); err != nil {
		return store.Errorf(store.CodeInvalid, "%v", err)
	}
	added, err := organizations.add(e, o, o.ID)
	return needAdded(added, err, "there is already an organization %q", o.ID)
}

// needAdded returns err; if it is nil and nothing was added, the conflict that the key is in use.
func needAdded(added bool, err error, format string, args ...any) error {
	if err == nil && !added {
		return store.Errorf(store.CodeConflict, format, args...)
	}
	return err
}

// FindOrganization implements [store.Store].
func (s *PostgresStore) FindOrganization(ctx context.Context, id string) (o account.Organization, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		o, err = findIn(e, organizations, noOrganization(id), id)
		return err
	})
	return o, err
}

// findIn reads the record of a key; missing is the error without one. A malformed key is not looked up.
func findIn[T any](e *dbTx, t tableOf[T], missing error, key ...string) (T, error) {
	var none T
	args, ok := keyArgs(key)
	if !ok {
		return none, missing
	}
	found, ok, err := t.find(e, args...)
	if err == nil && !ok {
		return none, missing
	}
	return found, err
}

// lockIn is [findIn] with a row lock (FOR UPDATE).
func lockIn[T any](e *dbTx, t tableOf[T], missing error, key ...string) (T, error) {
	var none T
	args, ok := keyArgs(key)
	if !ok {
		return none, missing
	}
	found, ok, err := t.lock(e, args...)
	if err == nil && !ok {
		return none, missing
	}
	return found, err
}

// keyArgs returns the parts of a key as arguments; false for a malformed key.
func keyArgs(key []string) (args []any, ok bool) {
	for _, part := range key {
		if !record.IsKeyPart(part) {
			return nil, false
		}
		args = append(args, part)
	}
	return args, true
}

// ListOrganizations implements [store.Store].
func (s *PostgresStore) ListOrganizations(ctx context.Context) (all []account.Organization, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		all, err = organizations.list(e, "ORDER BY id")
		return err
	})
	return all, err
}

// needOrganization returns [store.CodeNotFound] unless the organization exists, readable or not.
func needOrganization(e *dbTx, id string) error {
	_, err := findIn(e, organizations, noOrganization(id), id)
	return exceptUnreadable(err)
}

// lockOrganization is [needOrganization] with a row lock, so that transactions that change an organization's settings
// run one after the other.
func lockOrganization(e *dbTx, id string) error {
	_, err := lockIn(e, organizations, noOrganization(id), id)
	return exceptUnreadable(err)
}

// ignoreMissing returns nil for the error of a missing or unreadable record, and other errors unchanged.
func ignoreMissing(err error) error {
	if store.CodeOf(err) == store.CodeNotFound {
		return nil
	}
	return exceptUnreadable(err)
}

// exceptUnreadable returns nil for the error of an unreadable record, and other errors unchanged.
func exceptUnreadable(err error) error {
	if store.IsUnreadable(err) {
		return nil
	}
	return err
}

// noOrganization returns the not-found error of an organization.
func noOrganization(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no organization %q", id)
}
