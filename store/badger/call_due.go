package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store/call"
)

// due is a scheduled call's place among all, in the order in which calls are dialled.
type due struct{ order, orgID, id string }

// DueCalls implements [store.Calls].
func (s *Store) DueCalls(ctx context.Context, now time.Time, limit int) ([]call.Call, time.Time, error) {
	limit = max(limit, 0)
	all := func(string) int { return limit + 1 }
	found, next, err := s.dueCalls(ctx, all, now, limit+1)
	if err == nil && len(found) > limit {
		next = found[limit].ScheduledAt
		found = found[:limit]
	}
	return found, next, err
}

// DueCallsOf implements [store.Calls].
func (s *Store) DueCallsOf(
	ctx context.Context, room func(orgID string) int, now time.Time, limit int,
) ([]call.Call, time.Time, error) {
	return s.dueCalls(ctx, room, now, max(limit, 0))
}

// dueCalls are the first calls that are due, of every organization as many as it has room for, and when the first of
// the others becomes due.
func (s *Store) dueCalls(
	ctx context.Context, room func(orgID string) int, now time.Time, limit int,
) (found []call.Call, next time.Time, err error) {
	reading, first := s.memo.read(), map[string]string{}
	defer func() { s.memo.raise(reading, first) }()
	err = s.read(ctx, func(v view) error {
		var waiting []due
		w := v.walk(prefix(kindCallDue))
		defer w.close()
		for _, part := range reading.parts(prefix(kindCallDue)) {
			orgID := split(part, 3)[1]
			wanted := room(orgID)
			if wanted <= 0 {
				continue
			}
			first[part] = w.enter(part, reading.floors[part])
			some, later := dueOf(w, orgID, now, min(wanted, limit))
			waiting = append(waiting, some...)
			next = earlier(next, later)
		}
		slices.SortFunc(waiting, func(a, b due) int { return strings.Compare(a.order+a.orgID, b.order+b.orgID) })
		for _, d := range waiting[:min(len(waiting), limit)] {
			r, err := findCall(edit{v, &changes{}}, d.orgID, d.id)
			if isUnreadable(err) {
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, r.Call)
		}
		return nil
	})
	return found, next, err
}

// dueOf are the first calls of an organization that are due, from where the walk stands, and when the first one that is
// not becomes due.
func dueOf(w *walk, orgID string, now time.Time, wanted int) (found []due, next time.Time) {
	last := stamp(now)
	for rest, ok := w.place(); ok && len(found) < wanted; rest, ok = w.next() {
		parts := split(rest, 3)
		if parts[0] > last {
			return found, timeOf(parts[0])
		}
		found = append(found, due{order: rest, orgID: orgID, id: parts[len(parts)-1]})
	}
	if rest, ok := w.after(last); ok {
		next = timeOf(split(rest, 2)[0])
	}
	return found, next
}

// earlier is the earlier of two times, of which zero is none.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
