package records

import (
	"slices"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/driver"
	"munadi/store/record"
)

// findMentions adds the records outside calls that hold a number of an organization's person, until most are found.
// Users of [account.Default] see all organizations.
func findMentions(tx driver.Tx, r record.Erasure, most int, found *personTraces) error {
	if err := findInSetting(tx, bulkBoards, r, record.Erasure.WithoutBulkFilters, found); err != nil {
		return err
	}
	if err := findInSetting(tx, importMemories, r, record.Erasure.WithoutMappings, found); err != nil {
		return err
	}
	ofOrg := driver.Query{Equal: []any{r.OrgID}}
	if err := findIn(tx, campaignSkipped, r, ofOrg, record.Erasure.WithoutSkippedRows, most, found); err != nil {
		return err
	}
	for _, home := range slices.Compact([]string{r.OrgID, account.Default}) {
		q := driver.Query{Index: usersOfOrg, Equal: []any{home}}
		if err := findIn(tx, users, r, q, record.Erasure.WithoutViews, most, found); err != nil {
			return err
		}
	}
	return nil
}

// findInSetting is [findIn] of an organization's record of a kind.
func findInSetting[T any](
	tx driver.Tx, k kindOf[T], r record.Erasure, without func(record.Erasure, T) (T, int), found *personTraces,
) error {
	one, there, err := k.find(tx, r.OrgID)
	if store.IsUnreadable(err) {
		found.unreadable++
		return nil
	}
	if _, n := without(r, one); err == nil && there && n > 0 {
		found.all = append(found.all, mentionIn(k, without, r.OrgID))
	}
	return err
}

// findIn adds the records of a query in which without finds the number of an erasure.
func findIn[T any](
	tx driver.Tx, k kindOf[T], r record.Erasure, q driver.Query, without func(record.Erasure, T) (T, int), most int,
	found *personTraces,
) error {
	return k.visitAll(tx, q, func(row driver.Row, one T) (bool, error) {
		if row.Err != nil {
			found.unreadable++
			return true, nil //nolint:nilerr // it is counted
		}
		if _, n := without(r, one); n > 0 {
			found.all = append(found.all, mentionIn(k, without, row.Key...))
		}
		return len(found.all) < most, nil
	})
}

// mentionIn is the trace of a person in a record outside calls.
func mentionIn[T any](k kindOf[T], without func(record.Erasure, T) (T, int), key ...string) personTrace {
	return func(tx driver.Tx, r *record.Erasure) error {
		one, found, err := k.lockReadable(tx, key...)
		if err != nil || !found {
			return err
		}
		kept, n := without(*r, one)
		if n == 0 {
			return nil
		}
		r.Done.Mentions += n
		if k.Table == campaignSkipped.Table { // its event holds the same rows
			if err := eraseEvents(tx, key[0], key[1], false); err != nil {
				return err
			}
		}
		return k.put(tx, kept, key...)
	}
}
