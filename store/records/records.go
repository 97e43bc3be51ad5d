// Package records is the store's contract, written once for every database: each kind of record is declared once
// (table, index entries, what its absence means), and each method of the contract is one transaction of the small
// interface in package driver. What is true of calls or users in any database stands here or in the leaf packages; what
// names a block, a lock, a lease or SQL stands in a driver.
package records

import (
	"context"

	"munadi/store"
	"munadi/store/driver"
)

// Records implements the methods of [store.Store] on a database.
type Records struct {
	db     driver.Driver
	claims claimQueue
}

// NewRecords returns the records of a database.
func NewRecords(db driver.Driver) *Records { return &Records{db: db} }

// read returns what look reads in one transaction.
func read[T any](ctx context.Context, s *Records, look func(tx driver.Tx) (T, error)) (found T, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		found, err = look(tx)
		return err
	})
	return found, err
}

// mapPage returns a page of another type.
func mapPage[T, V any](from store.ListPage[T], of func(T) V) store.ListPage[V] {
	to := store.ListPage[V]{Items: make([]V, len(from.Items)), Next: from.Next}
	for i, one := range from.Items {
		to.Items[i] = of(one)
	}
	return to
}

// audited is a change with its audit entry; without an action there is none.
type audited struct {
	orgID string
	entry store.AuditEntry
}

// change runs f in one transaction with the audit entry that it returns, so that neither exists without the other.
func (s *Records) change(ctx context.Context, f func(driver.Tx) (audited, error)) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		done, err := f(tx)
		if err != nil || done.entry.Action == "" {
			return err
		}
		return addAudit(tx, done.orgID, done.entry)
	})
}
