package badger

import (
	"context"
	"strings"
	"time"

	"munadi/store/call"
)

// hour is the range of creation times that one counter covers.
const hour = time.Hour

// countCall maintains the counters by status: one record per hour of creation, so that a day costs about 24 small reads
// in any time zone, instead of one read per call.
func (e writeTx) countCall(before *callRecord, after callRecord) error {
	c := after.Call
	if before != nil && before.Call.Status == c.Status {
		return nil
	}
	place := joinKey(kindCallCount, c.OrgID, encodeTime(c.CreatedAt.Truncate(hour)))
	counts := map[call.CallStatus]int{}
	if _, err := e.getRecord(place, &counts); err != nil && !isUnreadable(err) { // a lost counter restarts at zero
		return err
	}
	if before != nil {
		if counts[before.Call.Status]--; counts[before.Call.Status] <= 0 {
			delete(counts, before.Call.Status)
		}
	}
	counts[c.Status]++
	e.putRecord(place, counts)
	return nil
}

// CountCalls implements [store.CallStore]: whole hours from the counts, the rest from the index.
func (s *BadgerStore) CountCalls(
	ctx context.Context,
	orgID string,
	from, to time.Time,
) (map[call.CallStatus]int, error) {
	counts := map[call.CallStatus]int{}
	if !isKeyPart(orgID) || !from.Before(to) {
		return counts, nil
	}
	first, last := from.Truncate(hour), to.Truncate(hour)
	if first.Before(from) {
		first = first.Add(hour)
	}
	err := s.readSnapshot(ctx, func(v snapshotView) error {
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

// countHours adds the counters of the hours in [from, to).
func countHours(v snapshotView, orgID string, from, to time.Time, counts map[call.CallStatus]int) error {
	return eachFrom(v, joinPrefix(kindCallCount, orgID), encodeTime(from), func(rest string, value []byte) (bool, error) {
		if rest >= encodeTime(to) {
			return false, nil
		}
		var some map[call.CallStatus]int
		if err := decodeRecord([]byte(rest), value, &some); err != nil {
			return true, nil //nolint:nilerr // a count that cannot be read is left out
		}
		for status, n := range some {
			counts[status] += n
		}
		return true, nil
	})
}

// countRange adds the calls created in [from, to), one by one.
func countRange(v snapshotView, orgID string, from, to time.Time, counts map[call.CallStatus]int) {
	if !from.Before(to) {
		return
	}
	for _, status := range call.AllStatuses() {
		v.keysFrom(joinPrefix(kindCallStatus, orgID, string(status)), encodeTime(from), func(rest string) bool {
			if rest >= encodeTime(to) {
				return false
			}
			counts[status]++
			return true
		})
	}
}

// CountAttempts implements [store.CallStore].
func (s *BadgerStore) CountAttempts(ctx context.Context, orgID, phone string, since, until time.Time) (int, error) {
	n := 0
	if !isKeyPart(orgID) || !isKeyPart(phone) {
		return 0, nil
	}
	last := encodeTime(until) + "/" + strings.Repeat(beyond, 2)
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		v.keysFrom(joinPrefix(kindCallDial, orgID, phone), encodeTime(since), func(rest string) bool {
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
