package records

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/driver"
	"munadi/store/record"
)

var oneTimes = declareKind(driver.Table{
	Kind: "one-time", Name: "one_times", Key: []string{"hash"}, Columns: []string{"expires"}, Numbers: []string{"expires"},
}, func(r account.OneTimeRecord) []any {
	return []any{record.UnixNanos(r.ExpiresAt)}
}, func([]string) error { return store.Errorf(store.CodeNotFound, "this was used already, or has expired") })

// AddOneTime implements [store.UserStore].
func (s *Records) AddOneTime(ctx context.Context, r account.OneTimeRecord, now time.Time) error {
	if len(r.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a record that is accepted once needs a hash")
	}
	key := sessionKey(r.Hash)
	return s.db.Update(ctx, func(tx driver.Tx) error {
		tx.MarkUrgent() // an administrator must be able to sign in to free space
		before, found, err := oneTimes.lockReadable(tx, key)
		if err != nil {
			return err
		}
		if found && !before.ExpiresAt.After(now) {
			return oneTimes.replace(tx, before, r, key)
		}
		return oneTimes.add(tx, r, "this was used already", key)
	})
}

// TakeOneTime implements [store.UserStore].
func (s *Records) TakeOneTime(
	ctx context.Context, hash []byte, now time.Time,
) (taken account.OneTimeRecord, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) (err error) {
		tx.MarkUrgent()
		if taken, err = oneTimes.lock(tx, sessionKey(hash)); err != nil {
			return err
		}
		if !taken.ExpiresAt.After(now) {
			return oneTimes.missing(nil)
		}
		return oneTimes.remove(tx, taken, sessionKey(hash))
	})
	if err != nil {
		return account.OneTimeRecord{}, err
	}
	return taken, nil
}

// ExpireOneTimes implements [store.UserStore].
func (s *Records) ExpireOneTimes(ctx context.Context, now time.Time) (int, error) {
	expired := driver.Query{Where: []driver.Condition{
		{Column: "expires", Value: record.UnixNanos(now), Op: driver.AtMost},
	}}
	all, err := oneTimes.sweep(ctx, s.db, expired,
		func(tx driver.Tx, r account.OneTimeRecord) (account.OneTimeRecord, error) {
			return r, oneTimes.remove(tx, r, sessionKey(r.Hash))
		})
	return len(all), err
}
