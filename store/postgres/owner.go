package postgres

import (
	"fmt"

	"munadi/store"
)

// rowLock locks the record of a key: [lockIn], or [lockOwn].
type rowLock[T any] func(e *dbTx, t tableOf[T], missing error, key ...string) (T, error)

// lockOwn is [lockIn] for a record that this appliance owns; for one of another appliance it returns
// [store.CodeConflict]. An appliance that was declared dead, or that repeats a change whose outcome it did not receive,
// must not change records that were taken over since.
func lockOwn[T any](e *dbTx, t tableOf[T], missing error, key ...string) (own T, err error) {
	args, ok := keyArgs(key)
	if !ok {
		return own, missing
	}
	where := fmt.Sprintf("%s AND owner = $%d FOR UPDATE", t.whereKey(), len(t.keys)+1)
	own, found, err := t.first(e, where, append(args, e.appliance)...)
	if err != nil || found {
		return own, err
	}
	if _, err := findIn(e, t, missing, key...); err != nil {
		return own, err
	}
	return own, store.Errorf(store.CodeConflict, "another appliance has taken this record over")
}
