package records

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/driver"
	"munadi/store/record"
	"munadi/store/restaurant"
)

var (
	// restaurantSessions are the sessions in restaurant mode.
	restaurantSessions = declareKind(driver.Table{
		Kind: "session", Name: "restaurant_sessions", Key: []string{"org", "id"}, Columns: []string{"touched"},
		Numbers: []string{"touched"},
	}, func(s restaurant.RestaurantSession) []any { return []any{record.UnixNanos(s.TouchedAt)} }, nil)

	phraseSets = declareKind[restaurant.PhraseSet](
		driver.Table{Kind: "phrases", Name: "phrases", Key: []string{"org"}}, nil, nil)
)

// SetSession implements [store.RestaurantStore].
func (s *Records) SetSession(ctx context.Context, orgID, id string, mode restaurant.SessionMode, now time.Time) error {
	if !restaurant.ValidSessionID(id) {
		return store.Errorf(store.CodeInvalid, "a session's id must have 1 to 128 characters of A-Z a-z 0-9 . _ : -")
	}
	session := restaurant.RestaurantSession{OrgID: orgID, ID: id, Mode: mode, TouchedAt: now}
	return s.db.Update(ctx, func(tx driver.Tx) error {
		if mode == restaurant.Restaurant {
			return restaurantSessions.put(tx, session, orgID, id)
		}
		return restaurantSessions.remove(tx, session, orgID, id)
	})
}

// TouchSession implements [store.RestaurantStore]. Most requests are not in restaurant mode, and cost no write.
func (s *Records) TouchSession(
	ctx context.Context, orgID, id string, now time.Time,
) (session restaurant.RestaurantSession, err error) {
	look := func(tx driver.Tx, lock driver.Lock) error {
		kept, found, err := restaurantSessions.get(tx, lock, []string{orgID, id})
		if !found {
			kept = restaurant.RestaurantSession{OrgID: orgID, ID: id}
		}
		session = kept.StateAt(now)
		return err
	}
	err = s.db.Read(ctx, func(tx driver.Tx) error { return look(tx, driver.NoLock) })
	if err != nil || session.Mode != restaurant.Restaurant {
		return session, err
	}
	err = s.db.Update(ctx, func(tx driver.Tx) error {
		err := look(tx, driver.RowLock)
		if err != nil || session.Mode != restaurant.Restaurant || !now.After(session.TouchedAt) {
			return err
		}
		session.TouchedAt = now
		return restaurantSessions.put(tx, session, orgID, id)
	})
	return session, err
}

// ExpireSessions implements [store.RestaurantStore].
func (s *Records) ExpireSessions(ctx context.Context, now time.Time) (int, error) {
	idle := driver.Query{Where: []driver.Condition{
		{Column: "touched", Value: record.UnixNanos(now.Add(-restaurant.Idle)), Op: driver.AtMost},
	}}
	all, err := restaurantSessions.sweep(ctx, s.db, idle,
		func(tx driver.Tx, session restaurant.RestaurantSession) (restaurant.RestaurantSession, error) {
			return session, restaurantSessions.remove(tx, session, session.OrgID, session.ID)
		})
	return len(all), err
}

// FindPhrases implements [store.RestaurantStore].
func (s *Records) FindPhrases(ctx context.Context, orgID string) (own *restaurant.PhraseSet, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) error {
		phrases, found, err := phraseSets.find(tx, orgID)
		if err == nil && found {
			own = &phrases
		}
		return err
	})
	return own, err
}

// ChangePhrases implements [store.RestaurantStore].
func (s *Records) ChangePhrases(
	ctx context.Context, orgID, actor string, now time.Time, change func(*restaurant.PhraseSet) error,
) error {
	return s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		if err := lockOrganization(tx, orgID); err != nil {
			return done, err
		}
		phrases, _, err := phraseSets.find(tx, orgID)
		before := phrases
		if err == nil {
			err = change(&phrases)
		}
		if err != nil {
			return done, err
		}
		entry := store.AuditEntry{At: now, Actor: actor, Action: "phrases.put", Subject: orgID}
		switch {
		case len(phrases.Dismissed) > 0 && !slices.Equal(phrases.Dismissed, before.Dismissed):
			entry.Action = "phrases.dismissed"
		case !phrases.HasOwnLists():
			entry.Action = "phrases.reset"
		}
		if phrases.IsEmpty() {
			return audited{orgID, entry}, phraseSets.remove(tx, phrases, orgID)
		}
		phrases.UpdatedAt = now
		return audited{orgID, entry}, phraseSets.put(tx, phrases, orgID)
	})
}
