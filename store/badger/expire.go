package badger

import (
	"context"
	"slices"
	"time"
)

// ExpireRecordings implements [store.Calls]. What an erasure left to be removed comes first, whatever the time.
func (s *Store) ExpireRecordings(
	ctx context.Context, orgID string, before time.Time, words bool, limit int,
) ([]string, error) {
	names, err := s.forgetGone(ctx, orgID, limit)
	if err != nil {
		return nil, err
	}
	expired, err := s.expire(ctx, kindCallSound, orgID, before, limit-len(names), func(e edit, r *callRecord) string {
		name := r.Call.Recording
		r.Call.Recording = ""
		e.line(r, before, "recording expired", byScheduler, untilThen)
		return name
	})
	names = append(names, expired...)
	if err == nil && words {
		_, err = s.ExpireWords(ctx, orgID, before, limit)
	}
	return names, err
}

// ExpireWords implements [store.Calls].
func (s *Store) ExpireWords(ctx context.Context, orgID string, before time.Time, limit int) (int, error) {
	expired, err := s.expire(ctx, kindCallWorded, orgID, before, limit, func(e edit, r *callRecord) string {
		r.Call.Messages, r.Call.Report, r.Call.ResponseBody, r.Words = nil, nil, nil, false
		e.line(r, before, "words expired", byScheduler, untilThen)
		return r.Call.ID
	})
	return len(expired), err
}

// expire changes the calls of an index that ended before a time, at most limit, and returns what forget says of each.
func (s *Store) expire(
	ctx context.Context, kind, orgID string, before time.Time, limit int, forget func(edit, *callRecord) string,
) ([]string, error) {
	var all, batch []string
	if !plain(orgID) {
		return nil, nil
	}
	index := prefix(kind, orgID)
	find := func(v view, most int) (places []string, _ error) {
		if most = min(most, limit-len(all)); most <= 0 {
			return nil, nil
		}
		v.keys(index, func(place string) bool {
			if split(place, 2)[0] >= stamp(before) {
				return false
			}
			places = append(places, place)
			return len(places) < most
		})
		return places, nil
	}
	err := sweep(ctx, s, find, func(e edit, places []string) error {
		batch = nil
		for _, place := range places {
			old, err := findCall(e, orgID, lastPart(place))
			if isUnreadable(err) {
				e.drop(append(slices.Clip(index), place...)) // nothing can be done about it, and the others wait
				continue
			}
			if err != nil {
				return err
			}
			r := old
			batch = append(batch, forget(e, &r))
			if err := e.saveCall(&old, r); err != nil {
				return err
			}
		}
		return nil
	}, func(int) { all = append(all, batch...) })
	return all, err
}

// gone is a recording that its call no longer knows.
type gone struct{ callID, name string }

// forgetGone takes the names of recordings that no call knows any more off their list.
func (s *Store) forgetGone(ctx context.Context, orgID string, limit int) ([]string, error) {
	var names []string
	if !plain(orgID) {
		return nil, nil
	}
	var batch []gone
	err := sweep(ctx, s, func(v view, most int) (some []gone, err error) {
		if most = min(most, limit-len(names)); most <= 0 {
			return nil, nil
		}
		err = eachFrom(v, prefix(kindSoundGone, orgID), "", func(callID string, name []byte) (bool, error) {
			some = append(some, gone{callID, string(name)})
			return len(some) < most, nil
		})
		return some, err
	}, func(e edit, some []gone) error {
		batch = some
		for _, g := range some {
			e.drop(key(kindSoundGone, orgID, g.callID))
		}
		return nil
	}, func(int) {
		for _, g := range batch {
			names = append(names, g.name)
		}
	})
	return names, err
}

// untilThen explains the time of a line about an expiry, which is the limit and not the moment.
const untilThen = "of what ended before this time"
