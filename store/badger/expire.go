package badger

import (
	"context"
	"slices"
	"time"

	"munadi/store/record"
)

// ExpireRecordings implements [store.CallStore]. Recordings left by an erasure come first, regardless of their age.
func (s *BadgerStore) ExpireRecordings(
	ctx context.Context, orgID string, before time.Time, words bool, limit int,
) ([]string, error) {
	names, err := s.takeRemovedNames(ctx, orgID, limit)
	if err != nil {
		return nil, err
	}
	expired, err := s.expireCalls(
		ctx,
		kindCallSound,
		orgID,
		before,
		limit-len(names),
		func(e writeTx, r *callRecord) string {
			name := r.Call.Recording
			r.Call.ForgetRecording()
			e.addTimelineLine(r, record.ExpiryLine("recording expired", before))
			return name
		},
	)
	names = append(names, expired...)
	if err == nil && words {
		_, err = s.ExpireWords(ctx, orgID, before, limit)
	}
	return names, err
}

// ExpireWords implements [store.CallStore].
func (s *BadgerStore) ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error) {
	expired, err := s.expireCalls(ctx, kindCallWorded, orgID, before, limit, func(e writeTx, r *callRecord) string {
		e.oweCompaction()
		(*record.CallRecord)(r).RemoveTexts()
		e.addTimelineLine(r, record.ExpiryLine("words expired", before))
		return r.Call.ID
	})
	return len(expired), err
}

// expireCalls changes the calls of an index that ended before a time, at most limit, and returns the results of forget.
func (s *BadgerStore) expireCalls(
	ctx context.Context, kind, orgID string, before time.Time, limit int, forget func(writeTx, *callRecord) string,
) ([]string, error) {
	var all, batch []string
	if !isKeyPart(orgID) {
		return nil, nil
	}
	index := joinPrefix(kind, orgID)
	find := func(v snapshotView, most int) (places []string, _ error) {
		if most = min(most, limit-len(all)); most <= 0 {
			return nil, nil
		}
		v.visitKeys(index, func(place string) bool {
			if splitKey(place, 2)[0] >= encodeTime(before) {
				return false
			}
			places = append(places, place)
			return len(places) < most
		})
		return places, nil
	}
	err := sweepBatches(ctx, s, find, func(e writeTx, places []string) error {
		var err error
		batch, err = e.expireBatch(orgID, index, places, forget)
		return err
	}, func(int) { all = append(all, batch...) })
	return all, err
}

// expireBatch changes the calls at these places of an index, and returns the results of forget. An unreadable call is
// skipped, and its entry deleted.
func (e writeTx) expireBatch(
	orgID string, index []byte, places []string, forget func(writeTx, *callRecord) string,
) (done []string, _ error) {
	for _, place := range places {
		old, err := findCall(e, orgID, lastPart(place))
		if err != nil {
			if err = ignoreMissing(err); err != nil {
				return done, err
			}
			e.deleteKey(append(slices.Clip(index), place...))
			continue
		}
		r := old
		done = append(done, forget(e, &r))
		if err := e.saveCall(&old, r); err != nil {
			return done, err
		}
	}
	return done, nil
}

// removedRecording is a recording that was detached from its call and must be deleted.
type removedRecording struct{ callID, name string }

// takeRemovedNames takes the names of detached recordings off the removal list.
func (s *BadgerStore) takeRemovedNames(ctx context.Context, orgID string, limit int) ([]string, error) {
	var names []string
	if !isKeyPart(orgID) {
		return nil, nil
	}
	var batch []removedRecording
	err := sweepBatches(ctx, s, func(v snapshotView, most int) (some []removedRecording, err error) {
		if most = min(most, limit-len(names)); most <= 0 {
			return nil, nil
		}
		err = eachValue(v, joinPrefix(kindSoundGone, orgID), "", func(callID string, name []byte) (bool, error) {
			some = append(some, removedRecording{callID, string(name)})
			return len(some) < most, nil
		})
		return some, err
	}, func(e writeTx, some []removedRecording) error {
		batch = some
		for _, g := range some {
			e.deleteKey(joinKey(kindSoundGone, orgID, g.callID))
		}
		return nil
	}, func(int) {
		for _, g := range batch {
			names = append(names, g.name)
		}
	})
	return names, err
}
