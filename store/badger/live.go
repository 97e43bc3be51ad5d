package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/live"
)

// BeginLive implements [store.LiveSessions].
func (s *Store) BeginLive(ctx context.Context, l live.Session) error {
	if !plain(l.ID) {
		return store.Errorf(store.CodeInvalid, "a live session needs an id without '/'")
	}
	return s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(l.OrgID); err != nil {
			return err
		}
		taken, err := e.has(key(kindLive, l.OrgID, l.ID))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "this live session is there already")
		}
		l.Segments = nil
		e.put(key(kindLive, l.OrgID, l.ID), l)
		if l.EndedAt == nil {
			e.mark(key(kindLiveRunning, l.OrgID, l.ID))
		}
		return nil
	})
}

// HearLive implements [store.LiveSessions].
func (s *Store) HearLive(ctx context.Context, orgID, id string, g live.Segment) error {
	return s.edit(ctx, func(e edit) error {
		if _, err := e.live(orgID, id); err != nil {
			return err
		}
		n, err := e.next(key(kindLiveRank, orgID, id))
		if err != nil {
			return err
		}
		e.put(key(kindLiveWords, orgID, id, rank(n)), g)
		return nil
	})
}

// live is a session without its segments.
func (e edit) live(orgID, id string) (l live.Session, err error) {
	if !plain(orgID) || !plain(id) {
		return l, store.Errorf(store.CodeNotFound, "no such live session")
	}
	found, err := e.get(key(kindLive, orgID, id), &l)
	if err == nil && !found {
		err = store.Errorf(store.CodeNotFound, "no such live session")
	}
	return l, err
}

// EndLive implements [store.LiveSessions].
func (s *Store) EndLive(ctx context.Context, orgID, id string, at time.Time, seconds float64) error {
	return s.edit(ctx, func(e edit) error {
		l, err := e.live(orgID, id)
		if err != nil || l.EndedAt != nil {
			return err
		}
		l.EndedAt, l.Seconds = &at, seconds
		e.put(key(kindLive, orgID, id), l)
		e.drop(key(kindLiveRunning, orgID, id))
		return nil
	})
}

// LiveSession implements [store.LiveSessions].
func (s *Store) LiveSession(ctx context.Context, orgID, id string) (l live.Session, err error) {
	err = s.read(ctx, func(v view) error {
		l, err = v.liveSession(orgID, id)
		return err
	})
	return l, err
}

// liveSession is a session with its segments.
func (v view) liveSession(orgID, id string) (live.Session, error) {
	l, err := edit{v, &changes{}}.live(orgID, id)
	if err != nil {
		return l, err
	}
	err = eachFrom(v, prefix(kindLiveWords, orgID, id), "", func(place string, value []byte) (bool, error) {
		var g live.Segment
		err := decode([]byte(place), value, &g)
		l.Segments = append(l.Segments, g)
		return err == nil, err
	})
	return l, err
}

// LiveSessions implements [store.LiveSessions].
func (s *Store) LiveSessions(
	ctx context.Context, orgID string, limit int, after string,
) (store.Page[live.Session], error) {
	page := store.Page[live.Session]{Items: []live.Session{}}
	if err := checkLimit(limit); err != nil || !plain(orgID) {
		return page, err
	}
	err := s.read(ctx, func(v view) (err error) {
		page, err = newestPage(v, []string{"live", orgID}, prefix(kindLive, orgID), limit, after,
			func(id string) (live.Session, error) { return v.liveSession(orgID, id) })
		return err
	})
	return page, err
}

// RunningLive implements [store.LiveSessions].
func (s *Store) RunningLive(ctx context.Context) (running []live.Session, err error) {
	err = s.read(ctx, func(v view) error {
		v.keys(prefix(kindLiveRunning), func(rest string) bool {
			parts := split(rest, 2)
			var l live.Session
			if l, err = (edit{v, &changes{}}).live(parts[0], lastPart(rest)); err == nil {
				running = append(running, l)
			}
			return err == nil
		})
		return err
	})
	return running, err
}

// DeleteLive implements [store.LiveSessions]. What was said goes first, in as many transactions as it takes, and after
// the session what was heard meanwhile: cut off in between, it is a session with fewer words, which can be deleted
// again.
func (s *Store) DeleteLive(ctx context.Context, orgID, id, actor string, now time.Time) error {
	if err := s.deleteWords(ctx, orgID, id); err != nil {
		return err
	}
	err := s.edit(ctx, func(e edit) error {
		if _, err := e.live(orgID, id); err != nil {
			return err
		}
		e.forgetLive(orgID, id)
		return e.audit(orgID, store.Change{At: now, Actor: actor, Action: "live.delete", Subject: id})
	})
	if err != nil {
		return err
	}
	return s.deleteWords(ctx, orgID, id)
}

// deleteWords drops the segments of a session.
func (s *Store) deleteWords(ctx context.Context, orgID, id string) error {
	if !plain(orgID) || !plain(id) {
		return nil // nobody's
	}
	words := prefix(kindLiveWords, orgID, id)
	return sweep(ctx, s,
		func(v view, most int) (places []string, _ error) {
			v.keys(words, func(place string) bool {
				places = append(places, place)
				return len(places) < most
			})
			return places, nil
		},
		func(e edit, places []string) error {
			for _, place := range places {
				e.drop(key(kindLiveWords, orgID, id, place))
			}
			return nil
		}, func(int) {})
}
