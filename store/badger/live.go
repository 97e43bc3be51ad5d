package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/live"
	"munadi/store/record"
)

// BeginLive implements [store.LiveSessions].
func (s *BadgerStore) BeginLive(ctx context.Context, l live.LiveSession) error {
	if !isKeyPart(l.ID) {
		return store.Errorf(store.CodeInvalid, "a live session needs an id without '/'")
	}
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(l.OrgID); err != nil {
			return err
		}
		taken, err := e.hasKey(joinKey(kindLive, l.OrgID, l.ID))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "there is already a live session %q", l.ID)
		}
		l.Segments = nil
		e.putRecord(joinKey(kindLive, l.OrgID, l.ID), l)
		if l.EndedAt == nil {
			e.putIndex(joinKey(kindLiveRunning, l.OrgID, l.ID))
		}
		return nil
	})
}

// AddLiveSegment implements [store.LiveSessions].
func (s *BadgerStore) AddLiveSegment(ctx context.Context, orgID, id string, g live.LiveSegment) error {
	return s.updateTx(ctx, func(e writeTx) error {
		if _, err := e.findLiveSession(orgID, id); err != nil {
			return err
		}
		n, err := e.nextNumber(joinKey(kindLiveRank, orgID, id), joinPrefix(kindLiveWords, orgID, id))
		if err != nil {
			return err
		}
		e.putRecord(joinKey(kindLiveWords, orgID, id, encodeRank(n)), g)
		return nil
	})
}

// findLiveSession returns a session without its segments.
func (e writeTx) findLiveSession(orgID, id string) (l live.LiveSession, err error) {
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return l, store.Errorf(store.CodeNotFound, "no such live session")
	}
	found, err := e.getRecord(joinKey(kindLive, orgID, id), &l)
	if err == nil && !found {
		err = store.Errorf(store.CodeNotFound, "no such live session")
	}
	return l, err
}

// EndLive implements [store.LiveSessions].
func (s *BadgerStore) EndLive(
	ctx context.Context, orgID, id string, at time.Time, seconds float64, sum *call.RecordingSum,
) error {
	return s.updateTx(ctx, func(e writeTx) error {
		l, err := e.findLiveSession(orgID, id)
		if err != nil || l.EndedAt != nil {
			return err
		}
		l.EndedAt, l.Seconds, l.SoundSum = &at, seconds, sum
		e.putRecord(joinKey(kindLive, orgID, id), l)
		e.deleteKey(joinKey(kindLiveRunning, orgID, id))
		return nil
	})
}

// LiveSession implements [store.LiveSessions].
func (s *BadgerStore) LiveSession(ctx context.Context, orgID, id string) (l live.LiveSession, err error) {
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		l, err = v.liveSession(orgID, id)
		return err
	})
	return l, err
}

// liveSession returns a session with its segments.
func (v snapshotView) liveSession(orgID, id string) (live.LiveSession, error) {
	l, err := writeTx{v, &changeSet{}}.findLiveSession(orgID, id)
	if err != nil {
		return l, err
	}
	err = eachRecord(v, joinPrefix(kindLiveWords, orgID, id), "", func(_ string, g live.LiveSegment) (bool, error) {
		l.Segments = append(l.Segments, g)
		return true, nil
	})
	return l, err
}

// LiveSessions implements [store.LiveSessions].
func (s *BadgerStore) LiveSessions(
	ctx context.Context, orgID string, limit int, after string,
) (store.ListPage[live.LiveSession], error) {
	page := store.ListPage[live.LiveSession]{Items: []live.LiveSession{}}
	if err := record.CheckLimit(limit); err != nil || !isKeyPart(orgID) {
		return page, err
	}
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		page, err = newestPage(v, []string{"live", orgID}, joinPrefix(kindLive, orgID), limit, after,
			func(id string) (live.LiveSession, error) { return v.liveSession(orgID, id) })
		return err
	})
	return page, err
}

// RunningLive implements [store.LiveSessions].
func (s *BadgerStore) RunningLive(ctx context.Context) (running []live.LiveSession, err error) {
	err = s.readSnapshot(ctx, func(v snapshotView) error {
		v.visitKeys(joinPrefix(kindLiveRunning), func(rest string) bool {
			parts := splitKey(rest, 2)
			var l live.LiveSession
			if l, err = (writeTx{v, &changeSet{}}).findLiveSession(parts[0], lastPart(rest)); err == nil {
				running = append(running, l)
			}
			err = ignoreMissing(err) // an unreadable one is already logged
			return err == nil
		})
		return err
	})
	return running, err
}

// DeleteLive implements [store.LiveSessions]. The session goes first, with the audit entry, and then its segments, in
// several transactions. Those that an interrupted delete leaves are removed by the next [BadgerStore.ExpireLive].
func (s *BadgerStore) DeleteLive(ctx context.Context, orgID, id, actor string, now time.Time) error {
	err := s.updateTx(ctx, func(e writeTx) error {
		if _, err := e.findLiveSession(orgID, id); err != nil {
			return err
		}
		e.forgetLive(orgID, id)
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: "live.delete", Subject: id})
	})
	if err != nil {
		return err
	}
	return s.deleteWords(ctx, orgID, id)
}

// deleteWords deletes the segments of a session.
func (s *BadgerStore) deleteWords(ctx context.Context, orgID, id string) error {
	if !isKeyPart(orgID) || !isKeyPart(id) {
		return nil // such an id has no records
	}
	words := joinPrefix(kindLiveWords, orgID, id)
	return sweepBatches(ctx, s,
		func(v snapshotView, most int) (places []string, _ error) {
			v.visitKeys(words, func(place string) bool {
				places = append(places, place)
				return len(places) < most
			})
			return places, nil
		},
		func(e writeTx, places []string) error {
			e.oweCompaction()
			for _, place := range places {
				e.deleteKey(joinKey(kindLiveWords, orgID, id, place))
			}
			return nil
		}, func(int) {})
}
