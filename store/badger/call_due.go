package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store/call"
)

// dueCall is a scheduled call's position in dialling order.
type dueCall struct{ order, orgID, id string }

// DueCalls implements [store.CallStore].
func (s *BadgerStore) DueCalls(ctx context.Context, now time.Time, limit int) ([]call.Call, time.Time, error) {
	limit = max(limit, 0)
	all := func(string) int { return limit + 1 }
	found, next, err := s.dueCalls(ctx, all, now, limit+1)
	if err == nil && len(found) > limit {
		next = found[limit].ScheduledAt
		found = found[:limit]
	}
	return found, next, err
}

// DueCallsOf implements [store.CallStore].
func (s *BadgerStore) DueCallsOf(
	ctx context.Context, room func(orgID string) int, now time.Time, limit int,
) ([]call.Call, time.Time, error) {
	return s.dueCalls(ctx, room, now, max(limit, 0))
}

// dueCalls returns the first due calls, up to room of each organization, and the time at which the next of the others
// becomes due.
func (s *BadgerStore) dueCalls(
	ctx context.Context, room func(orgID string) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	reading, first := s.memo.beginRead(), map[string]string{}
	defer func() { s.memo.raiseWatermarks(reading, first) }()
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		var waiting []dueCall
		w := v.openWalk(joinPrefix(kindCallDue))
		defer w.closeWalk()
		for _, part := range reading.possibleParts(joinPrefix(kindCallDue)) {
			orgID := splitKey(part, 3)[1]
			wanted := room(orgID)
			if wanted <= 0 {
				continue
			}
			first[part] = w.enterPart(part, reading.floors[part])
			some, later := dueOf(w, orgID, now, min(wanted, limit))
			waiting = append(waiting, some...)
			next = earlierTime(next, later)
		}
		found, err = readDueCalls(v, waiting, limit)
		return err
	})
	return found, next, err
}

// readDueCalls reads the earliest of the calls that wait, at most limit.
func readDueCalls(v snapshotView, waiting []dueCall, limit int) (found []call.Call, _ error) {
	slices.SortFunc(waiting, func(a, b dueCall) int { return strings.Compare(a.order+a.orgID, b.order+b.orgID) })
	for _, d := range waiting[:min(len(waiting), limit)] {
		r, err := findCall(writeTx{v, &changeSet{}}, d.orgID, d.id)
		if isUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found = append(found, r.Call)
	}
	return found, nil
}

// dueOf are the first calls of an organization that are due, from where the walk stands, and when the first one that is
// not becomes due.
func dueOf(w *indexWalk, orgID string, now time.Time, wanted int) (found []dueCall, next time.Time) {
	last := encodeTime(now)
	for rest, ok := w.currentPlace(); ok && len(found) < wanted; rest, ok = w.nextPlace() {
		parts := splitKey(rest, 3)
		if parts[0] > last {
			return found, timeOf(parts[0])
		}
		found = append(found, dueCall{order: rest, orgID: orgID, id: parts[len(parts)-1]})
	}
	if rest, ok := w.seekAfter(last); ok {
		next = timeOf(splitKey(rest, 2)[0])
	}
	return found, next
}

// earlierTime returns the earlier of two times; zero means none.
func earlierTime(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
