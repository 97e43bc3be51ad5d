package records

import (
	"errors"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/driver"
	"munadi/store/record"
)

// EraseMentions removes the number of an erasure from the organization's settings and its users' views; users of
// [account.Default] see all organizations. It counts what it removed, and the records that cannot be read.
func EraseMentions(tx driver.Tx, r *record.Erasure) error {
	err := errors.Join(
		eraseSetting(tx, bulkBoards, r, r.WithoutBulkFilters), eraseSetting(tx, importMemories, r, r.WithoutMappings))
	for _, orgID := range []string{r.OrgID, account.Default} {
		if err != nil || orgID == account.Default && r.OrgID == account.Default {
			continue
		}
		q := driver.Query{Index: usersOfOrg, Equal: []any{orgID}, Lock: true}
		err = users.visitAll(tx, q, func(row driver.Row, u account.User) (bool, error) {
			if row.Err != nil {
				r.Done.Unreadable++
				return true, nil //nolint:nilerr // it is counted
			}
			kept, n := r.WithoutViews(u)
			if n == 0 {
				return true, nil
			}
			r.Done.Mentions += n
			return true, users.put(tx, kept, kept.ID)
		})
	}
	return err
}

// eraseSetting removes the number of an erasure from the organization's record of a kind.
func eraseSetting[T any](tx driver.Tx, k kindOf[T], r *record.Erasure, without func(T) (T, int)) error {
	one, found, err := k.get(tx, driver.RowLock, []string{r.OrgID})
	if store.IsUnreadable(err) {
		r.Done.Unreadable++
		return nil
	}
	if err != nil || !found {
		return err
	}
	kept, n := without(one)
	if n == 0 {
		return nil
	}
	r.Done.Mentions += n
	return k.put(tx, kept, r.OrgID)
}
