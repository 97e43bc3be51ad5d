package postgres

import (
	"time"

	"munadi/store"
	"munadi/store/record"
	"munadi/store/records"
)

var settings = plainTable[[]byte]("settings", "name")

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

// needAdded returns err; if it is nil and nothing was added, the conflict that the key is in use.
func needAdded(added bool, err error, format string, args ...any) error {
	if err == nil && !added {
		return store.Errorf(store.CodeConflict, format, args...)
	}
	return err
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

// needOrganization returns [store.CodeNotFound] unless the organization exists.
func needOrganization(e *dbTx, id string) error { return records.NeedOrganization(e, id) }

// lockOrganization is [needOrganization] with a row lock.
func lockOrganization(e *dbTx, id string) error { return records.LockOrganization(e, id) }

// addAudit appends an entry to an organization's audit trail.
func addAudit(e *dbTx, orgID string, c store.AuditEntry) {
	if err := records.AddAudit(e, orgID, c); err != nil && e.err == nil {
		e.err = err
	}
}

// exceptUnreadable returns nil for the error of an unreadable record, and other errors unchanged.
func exceptUnreadable(err error) error {
	if store.IsUnreadable(err) {
		return nil
	}
	return err
}
