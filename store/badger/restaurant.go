package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/restaurant"
)

// expireBatch is the number of records that one transaction expires: it must fit, and must not delay other writers.
const expireBatch = 500

// SetSession implements [store.Store].
func (s *BadgerStore) SetSession(
	ctx context.Context,
	orgID, id string,
	mode restaurant.SessionMode,
	now time.Time,
) error {
	if !restaurant.ValidSessionID(id) {
		return store.Errorf(store.CodeInvalid, "a session's id must have 1 to 128 characters of A-Z a-z 0-9 . _ : -")
	}
	return s.submitCommand(ctx, func(_ snapshotView, c *changeSet) error {
		if mode == restaurant.Restaurant {
			session := restaurant.RestaurantSession{OrgID: orgID, ID: id, Mode: mode, TouchedAt: now}
			c.putRecord(joinKey(kindSession, orgID, id), session)
		} else {
			c.deleteKey(joinKey(kindSession, orgID, id))
		}
		return nil
	})
}

// TouchSession implements [store.Store].
func (s *BadgerStore) TouchSession(
	ctx context.Context,
	orgID, id string,
	now time.Time,
) (restaurant.RestaurantSession, error) {
	var session restaurant.RestaurantSession
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		session, err = findSession(v, orgID, id, now)
		return err
	})
	if err != nil || session.Mode != restaurant.Restaurant {
		return session, err // most requests are not in restaurant mode, and cost no write
	}
	err = s.submitCommand(ctx, func(v snapshotView, c *changeSet) (err error) {
		session, err = findSession(v, orgID, id, now)
		if err != nil || session.Mode != restaurant.Restaurant || !now.After(session.TouchedAt) {
			return err
		}
		session.TouchedAt = now
		c.putRecord(joinKey(kindSession, orgID, id), session)
		return nil
	})
	return session, err
}

// ExpireSessions implements [store.Store].
func (s *BadgerStore) ExpireSessions(ctx context.Context, now time.Time) (int, error) {
	for total := 0; ; {
		var gone int
		err := s.submitCommand(ctx, func(v snapshotView, c *changeSet) error {
			c.markUrgent()
			idle, err := idleSessions(v, now)
			for _, session := range idle {
				c.deleteKey(joinKey(kindSession, session.OrgID, session.ID))
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

// idleSessions returns the first [expireBatch] sessions whose idle timeout is over at now.
func idleSessions(v snapshotView, now time.Time) ([]restaurant.RestaurantSession, error) {
	all, err := listRecords[restaurant.RestaurantSession](v, joinPrefix(kindSession))
	var idle []restaurant.RestaurantSession
	for _, session := range all {
		if session.StateAt(now).Mode == restaurant.Default && len(idle) < expireBatch {
			idle = append(idle, session)
		}
	}
	return idle, err
}

// findSession returns the session's state at now.
func findSession(v snapshotView, orgID, id string, now time.Time) (restaurant.RestaurantSession, error) {
	session := restaurant.RestaurantSession{OrgID: orgID, ID: id}
	_, err := v.getRecord(joinKey(kindSession, orgID, id), &session)
	return session.StateAt(now), err
}

// FindPhrases implements [store.Store].
func (s *BadgerStore) FindPhrases(ctx context.Context, orgID string) (*restaurant.PhraseSet, error) {
	var phrases restaurant.PhraseSet
	var found bool
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		found, err = v.getRecord(joinKey(kindPhrases, orgID), &phrases)
		return err
	})
	if err != nil || !found {
		return nil, err
	}
	return &phrases, nil
}

// ChangePhrases implements [store.Store].
func (s *BadgerStore) ChangePhrases(
	ctx context.Context, orgID, actor string, now time.Time, change func(*restaurant.PhraseSet) error,
) error {
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		var phrases restaurant.PhraseSet
		if _, err := e.getRecord(joinKey(kindPhrases, orgID), &phrases); err != nil {
			return err
		}
		if err := change(&phrases); err != nil {
			return err
		}
		action := "phrases.put"
		if phrases.IsEmpty() {
			action = "phrases.reset"
			e.deleteKey(joinKey(kindPhrases, orgID))
		} else {
			phrases.UpdatedAt = now
			e.putRecord(joinKey(kindPhrases, orgID), phrases)
		}
		return e.addAudit(orgID, store.AuditEntry{At: now, Actor: actor, Action: action, Subject: orgID})
	})
}
