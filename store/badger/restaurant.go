package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/restaurant"
)

// expireBatch is how many records one transaction forgets, so that a long list neither fills it nor holds up others.
const expireBatch = 500

// Session implements [store.Store].
func (s *Store) Session(ctx context.Context, orgID, id string, now time.Time) (restaurant.Session, error) {
	var session restaurant.Session
	err := s.read(ctx, func(v view) (err error) {
		session, err = findSession(v, orgID, id, now)
		return err
	})
	return session, err
}

// SetSession implements [store.Store].
func (s *Store) SetSession(ctx context.Context, orgID, id string, mode restaurant.Mode, now time.Time) error {
	if !restaurant.ValidSessionID(id) {
		return store.Errorf(store.CodeInvalid, "a session's id has 1 to 128 characters of A-Z a-z 0-9 . _ : -")
	}
	return s.write(ctx, func(_ view, c *changes) error {
		if mode == restaurant.Restaurant {
			session := restaurant.Session{OrgID: orgID, ID: id, Mode: mode, TouchedAt: now}
			c.put(key(kindSession, orgID, id), session)
		} else {
			c.drop(key(kindSession, orgID, id))
		}
		return nil
	})
}

// TouchSession implements [store.Store].
func (s *Store) TouchSession(ctx context.Context, orgID, id string, now time.Time) (restaurant.Session, error) {
	session, err := s.Session(ctx, orgID, id, now)
	if err != nil || session.Mode != restaurant.Restaurant {
		return session, err // most requests are not in the mode, and cost no write
	}
	err = s.write(ctx, func(v view, c *changes) (err error) {
		session, err = findSession(v, orgID, id, now)
		if err != nil || session.Mode != restaurant.Restaurant || !now.After(session.TouchedAt) {
			return err
		}
		session.TouchedAt = now
		c.put(key(kindSession, orgID, id), session)
		return nil
	})
	return session, err
}

// ExpireSessions implements [store.Store].
func (s *Store) ExpireSessions(ctx context.Context, now time.Time) (int, error) {
	for total := 0; ; {
		var gone int
		err := s.write(ctx, func(v view, c *changes) error {
			c.urge()
			idle, err := idleSessions(v, now)
			for _, session := range idle {
				c.drop(key(kindSession, session.OrgID, session.ID))
			}
			gone = len(idle)
			return err
		})
		if err != nil {
			return total, err
		}
		if total += gone; gone < expireBatch {
			return total, nil
		}
	}
}

// idleSessions are the first [expireBatch] sessions that have idled away at now.
func idleSessions(v view, now time.Time) ([]restaurant.Session, error) {
	all, err := list[restaurant.Session](v, prefix(kindSession))
	var idle []restaurant.Session
	for _, session := range all {
		if session.At(now).Mode == restaurant.Default && len(idle) < expireBatch {
			idle = append(idle, session)
		}
	}
	return idle, err
}

// findSession is the session as it stands at now.
func findSession(v view, orgID, id string, now time.Time) (restaurant.Session, error) {
	session := restaurant.Session{OrgID: orgID, ID: id}
	_, err := v.get(key(kindSession, orgID, id), &session)
	return session.At(now), err
}

// Phrases implements [store.Store].
func (s *Store) Phrases(ctx context.Context, orgID string) (*restaurant.Phrases, error) {
	var phrases restaurant.Phrases
	var found bool
	err := s.read(ctx, func(v view) (err error) {
		found, err = v.get(key(kindPhrases, orgID), &phrases)
		return err
	})
	if err != nil || !found {
		return nil, err
	}
	return &phrases, nil
}

// PutPhrases implements [store.Store].
func (s *Store) PutPhrases(ctx context.Context, orgID string, phrases *restaurant.Phrases) error {
	return s.write(ctx, func(v view, c *changes) error {
		if err := needOrganization(v, orgID); err != nil {
			return err
		}
		if phrases == nil {
			c.drop(key(kindPhrases, orgID))
		} else {
			c.put(key(kindPhrases, orgID), phrases)
		}
		return nil
	})
}
