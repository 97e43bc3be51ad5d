package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/live"
)

// liveWord is the key of one segment of a session.
type liveWord struct{ id, place string }

// ExpireLive implements [store.LiveSessions]. Sessions are ordered by start time, so the scan stops at the first one
// that started after the limit.
func (s *BadgerStore) ExpireLive(ctx context.Context, orgID string, words, all time.Time) (int, error) {
	if !isKeyPart(orgID) {
		return 0, nil
	}
	changed := map[string]bool{}
	err := sweepBatches(ctx, s,
		func(v snapshotView, most int) ([]liveWord, error) { return wordsBefore(v, orgID, words, most) },
		func(e writeTx, found []liveWord) error {
			e.oweCompaction()
			for _, w := range found {
				e.deleteKey(joinKey(kindLiveWords, orgID, w.id, w.place))
				changed[w.id] = true
			}
			return nil
		}, func(int) {})
	if err != nil {
		return len(changed), err
	}
	err = sweepBatches(ctx, s,
		func(v snapshotView, most int) ([]string, error) { return liveBefore(v, orgID, all, most) },
		func(e writeTx, ids []string) error {
			for _, id := range ids {
				e.forgetLive(orgID, id)
				changed[id] = true
			}
			return nil
		}, func(int) {})
	return len(changed), err
}

// forgetLive deletes a session without segments.
func (e writeTx) forgetLive(orgID, id string) {
	e.oweCompaction()
	e.deleteKey(joinKey(kindLive, orgID, id))
	e.deleteKey(joinKey(kindLiveRunning, orgID, id))
	e.deleteKey(joinKey(kindLiveRank, orgID, id))
}

// wordsBefore returns the first segments of sessions that ended before a time.
func wordsBefore(v snapshotView, orgID string, before time.Time, most int) (found []liveWord, err error) {
	var l live.LiveSession
	v.visitKeys(joinPrefix(kindLiveWords, orgID), func(rest string) bool {
		id := splitKey(rest, 2)[0]
		if id != l.ID {
			l, err = writeTx{v, &changeSet{}}.findLiveSession(orgID, id)
			switch {
			case store.CodeOf(err) == store.CodeNotFound: // orphaned segments
				l, err = live.LiveSession{ID: id, EndedAt: new(time.Time)}, nil
			case store.IsUnreadable(err): // its end is unknown
				l, err = live.LiveSession{ID: id}, nil
			}
			if err != nil || !l.StartedAt.Before(before) {
				return false
			}
		}
		if l.EndedBefore(before) {
			found = append(found, liveWord{id, lastPart(rest)})
		}
		return len(found) < most
	})
	return found, err
}

// liveBefore returns the first sessions that ended before a time.
func liveBefore(v snapshotView, orgID string, before time.Time, most int) (ids []string, err error) {
	v.visitKeys(joinPrefix(kindLive, orgID), func(id string) bool {
		var l live.LiveSession
		l, err = writeTx{v, &changeSet{}}.findLiveSession(orgID, id)
		if err = ignoreMissing(err); err != nil || !l.StartedAt.Before(before) {
			return false
		}
		if l.EndedBefore(before) {
			ids = append(ids, id)
		}
		return len(ids) < most
	})
	return ids, err
}
