package badger

import (
	"context"
	"strings"
	"time"

	"munadi/store/call"
)

// hour is the stretch of creation times that one count covers.
const hour = time.Hour

// countCall keeps the counts by status right: one record an hour of creation, so that a day is two dozen small reads
// in whatever time zone it lies, and not one read a call.
func (e edit) countCall(before *callRecord, after callRecord) error {
	c := after.Call
	if before != nil && before.Call.Status == c.Status {
		return nil
	}
	place := key(kindCallCount, c.OrgID, stamp(c.CreatedAt.Truncate(hour)))
	counts := map[call.Status]int{}
	if _, err := e.get(place, &counts); err != nil && !isUnreadable(err) { // a lost count begins again
		return err
	}
	if before != nil {
		if counts[before.Call.Status]--; counts[before.Call.Status] <= 0 {
			delete(counts, before.Call.Status)
		}
	}
	counts[c.Status]++
	e.put(place, counts)
	return nil
}

// CountCalls implements [store.Calls]: whole hours from the counts, the rest from the index.
func (s *Store) CountCalls(ctx context.Context, orgID string, from, to time.Time) (map[call.Status]int, error) {
	counts := map[call.Status]int{}
	if !plain(orgID) || !from.Before(to) {
		return counts, nil
	}
	first, last := from.Truncate(hour), to.Truncate(hour)
	if first.Before(from) {
		first = first.Add(hour)
	}
	err := s.read(ctx, func(v view) error {
		if !first.Before(last) {
			countRange(v, orgID, from, to, counts)
			return nil
		}
		countRange(v, orgID, from, first, counts)
		countRange(v, orgID, last, to, counts)
		return countHours(v, orgID, first, last, counts)
	})
	return counts, err
}

// countHours adds the counts of the hours in [from, to).
func countHours(v view, orgID string, from, to time.Time, counts map[call.Status]int) error {
	return eachFrom(v, prefix(kindCallCount, orgID), stamp(from), func(rest string, value []byte) (bool, error) {
		if rest >= stamp(to) {
			return false, nil
		}
		var some map[call.Status]int
		if err := decode([]byte(rest), value, &some); err != nil {
			return true, nil //nolint:nilerr // a count that cannot be read is left out
		}
		for status, n := range some {
			counts[status] += n
		}
		return true, nil
	})
}

// countRange adds the calls created in [from, to), one by one.
func countRange(v view, orgID string, from, to time.Time, counts map[call.Status]int) {
	if !from.Before(to) {
		return
	}
	for _, status := range call.Statuses() {
		v.keysFrom(prefix(kindCallStatus, orgID, string(status)), stamp(from), func(rest string) bool {
			if rest >= stamp(to) {
				return false
			}
			counts[status]++
			return true
		})
	}
}

// Attempts implements [store.Calls].
func (s *Store) Attempts(ctx context.Context, orgID, phone string, since, until time.Time) (int, error) {
	n := 0
	if !plain(orgID) || !plain(phone) {
		return 0, nil
	}
	last := stamp(until) + "/" + strings.Repeat(beyond, 2)
	err := s.read(ctx, func(v view) error {
		v.keysFrom(prefix(kindCallDial, orgID, phone), stamp(since), func(rest string) bool {
			if rest > last {
				return false
			}
			n++
			return true
		})
		return nil
	})
	return n, err
}
