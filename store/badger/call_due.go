package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store/call"
	"munadi/store/record"
)

// dueCall is a scheduled call and its position in dialling order.
type dueCall struct {
	order string
	call  call.Call
}

// DueCallsOf implements [store.CallStore].
func (s *BadgerStore) DueCallsOf(
	ctx context.Context, room func(orgID string) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	return s.walkDue(ctx, kindCallDue, now, max(limit, 0),
		func(_ snapshotView, part string) (string, int, time.Time, error) {
			orgID := splitKey(part, 3)[1]
			return orgID, room(orgID), time.Time{}, nil
		})
}

// walkDue returns the earliest due calls over all queues of a kind, at most limit, and the dial time of the first call
// that is not due yet, in the queues that have room. choose returns the organization of a queue, how many calls of it
// may start now, and the time at which a queue that is closed opens (zero for none).
func (s *BadgerStore) walkDue(
	ctx context.Context, kind string, now time.Time, limit int,
	choose func(v snapshotView, part string) (orgID string, wanted int, opens time.Time, err error),
) (found []call.Call, next time.Time, err error) {
	reading, first := s.watermarks.beginRead(), map[string]string{}
	defer func() { s.watermarks.raiseWatermarks(reading, first) }()
	var stale staleEntries
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		var waiting []dueCall
		w := v.openWalk(joinPrefix(kind))
		defer w.closeWalk()
		for _, part := range reading.possibleParts(joinPrefix(kind)) {
			orgID, wanted, opens, err := choose(v, part)
			if err != nil {
				return err
			}
			if next = record.EarliestTime(next, opens); wanted <= 0 {
				continue
			}
			first[part] = w.enterPart(part, reading.floors[part])
			some, later, err := stale.dueOf(v, w, orgID, now, min(wanted, limit))
			if err != nil {
				return err
			}
			waiting = append(waiting, some...)
			next = record.EarliestTime(next, later)
		}
		found = earliestCalls(waiting, limit)
		return nil
	})
	if err == nil {
		err = s.dropStale(ctx, stale)
	}
	return found, next, err
}

// earliestCalls returns the earliest of the due calls, at most limit.
func earliestCalls(waiting []dueCall, limit int) (found []call.Call) {
	slices.SortFunc(waiting, func(a, b dueCall) int {
		return strings.Compare(a.order+a.call.OrgID, b.order+b.call.OrgID)
	})
	for _, d := range waiting[:min(len(waiting), limit)] {
		found = append(found, d.call)
	}
	return found
}

// dueOf returns the first due calls of an organization, from the current position of the walk, and the dial time of the
// first call that is not due yet. Unreadable calls and stale entries are skipped and do not count towards wanted.
func (s *staleEntries) dueOf(
	v snapshotView, w *indexWalk, orgID string, now time.Time, wanted int,
) (found []dueCall, next time.Time, err error) {
	last := encodeTime(now)
	for rest, ok := w.currentPlace(); ok && len(found) < wanted; rest, ok = w.nextPlace() {
		parts := splitKey(rest, 3)
		if parts[0] > last {
			return found, timeOf(parts[0]), nil
		}
		r, err := findCall(writeTx{v, &changeSet{}}, orgID, lastPart(rest))
		due, err := s.isCurrentEntry(w.currentKey(), r.dueEntry(), err)
		if err != nil {
			return nil, next, err
		}
		if due {
			found = append(found, dueCall{order: rest, call: r.Call})
		}
	}
	if rest, ok := w.seekAfter(last); ok {
		next = timeOf(splitKey(rest, 2)[0])
	}
	return found, next, nil
}
