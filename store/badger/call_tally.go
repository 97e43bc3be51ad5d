package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/record"
)

// tallyTotal replaces the time in the key of an all-time tally; it sorts after every time.
const tallyTotal = "total"

// tallyDialTime moves a call between the counters of its dial time and status, and counts the answers that it ended
// with.
func (e writeTx) tallyDialTime(before *callRecord, after callRecord) error {
	c := after.Call
	if before != nil && before.Call.Status == c.Status && tallyTime(before.Call) == tallyTime(c) {
		return nil
	}
	if before != nil {
		for _, place := range tallyPlaces(before.Call) {
			if err := e.changeTally(place, func(t *call.CallTally) { t.CountCall(before.Call, -1) }); err != nil {
				return err
			}
		}
	}
	for _, place := range tallyPlaces(c) {
		err := e.changeTally(place, func(t *call.CallTally) {
			t.CountCall(c, 1)
			if c.Status.IsFinal() {
				t.CountAnswers(c, 1)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// changeTally changes one tally. One that cannot be read restarts at zero; an empty one is removed.
func (e writeTx) changeTally(place []byte, change func(*call.CallTally)) error {
	var tally call.CallTally
	if _, err := e.getRecord(place, &tally); err != nil && !store.IsUnreadable(err) {
		return err
	}
	change(&tally)
	if len(tally.Counts) == 0 {
		e.deleteKey(place)
	} else {
		e.putRecord(place, tally)
	}
	return nil
}

// tallyTime returns the quarter of an hour of a call's dial time, as in its key.
func tallyTime(c call.Call) string { return encodeTime(c.ScheduledAt.Truncate(call.TallyStep)) }

// tallyPlaces returns the keys of the tallies that count a call.
func tallyPlaces(c call.Call) [][]byte {
	return [][]byte{
		joinKey(kindCallTally, c.OrgID, tallyTime(c), c.ScenarioID),
		joinKey(kindCallTally, c.OrgID, tallyTotal, c.ScenarioID),
	}
}

// TallyCalls implements [store.CallStore].
func (s *BadgerStore) TallyCalls(ctx context.Context, orgID string, from, to time.Time) ([]call.CallTally, error) {
	first, end := encodeTimeBound(from), encodeTimeBound(to)
	if from.IsZero() && to.IsZero() {
		first, end = tallyTotal, beyond
	}
	if end == "" {
		end = tallyTotal
	}
	var found []call.CallTally
	if !isKeyPart(orgID) {
		return found, nil
	}
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		found = nil
		return eachRecord(v, joinPrefix(kindCallTally, orgID), first, func(place string, t call.CallTally) (bool, error) {
			if place >= end {
				return false, nil
			}
			parts := splitKey(place, 2)
			t.At, t.ScenarioID = timeOf(parts[0]), parts[1]
			found = append(found, t)
			return ctx.Err() == nil, ctx.Err()
		})
	})
	return found, err
}

// CountCalls implements [store.CallStore].
func (s *BadgerStore) CountCalls(ctx context.Context, orgID string, f store.CallFilter, limit int) (n int, err error) {
	if err := record.CheckFilter(f); err != nil || !isKeyPart(orgID) {
		return 0, err
	}
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		n = 0
		first, isPast := orderBounds(f)
		v.visitCalls(orgID, f, first, isPast, func(_ string, fits bool) bool {
			if fits && n < limit {
				n++
			}
			return n < limit && ctx.Err() == nil
		})
		return ctx.Err()
	})
	return n, err
}
