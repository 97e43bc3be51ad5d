package postgres

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/restaurant"
)

var (
	restaurantSessions = tableOf[restaurant.RestaurantSession]{
		name: "restaurant_sessions", keys: []string{"org", "id"}, others: []string{"touched"},
		derive: func(s restaurant.RestaurantSession) []any { return []any{unixNanos(s.TouchedAt)} },
	}
	phraseSets = tableOf[restaurant.PhraseSet]{name: "phrases", keys: []string{"org"}}
)

// SetSession implements [store.Store].
func (s *PostgresStore) SetSession(
	ctx context.Context, orgID, id string, mode restaurant.SessionMode, now time.Time,
) error {
	if !restaurant.ValidSessionID(id) {
		return store.Errorf(store.CodeInvalid, "a session's id must have 1 to 128 characters of A-Z a-z 0-9 . _ : -")
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		if mode == restaurant.Restaurant {
			session := restaurant.RestaurantSession{OrgID: orgID, ID: id, Mode: mode, TouchedAt: now}
			restaurantSessions.put(e, session, orgID, id)
		} else {
			restaurantSessions.remove(e, orgID, id)
		}
		return nil
	})
}

// TouchSession implements [store.Store]. Most requests are not in restaurant mode, and cost no transaction.
func (s *PostgresStore) TouchSession(
	ctx context.Context, orgID, id string, now time.Time,
) (session restaurant.RestaurantSession, err error) {
	none := restaurant.RestaurantSession{OrgID: orgID, ID: id}
	if !restaurant.ValidSessionID(id) {
		return none.StateAt(now), ctx.Err()
	}
	look := func(e *dbTx, read func(*dbTx, ...any) (restaurant.RestaurantSession, bool, error)) error {
		kept, found, err := read(e, orgID, id)
		if session = none.StateAt(now); found {
			session = kept.StateAt(now)
		}
		return err
	}
	err = s.readRows(ctx, func(e *dbTx) error { return look(e, restaurantSessions.find) })
	if err != nil || session.Mode != restaurant.Restaurant {
		return session, err
	}
	err = s.updateTx(ctx, func(e *dbTx) error {
		err := look(e, restaurantSessions.lock)
		if err != nil || session.Mode != restaurant.Restaurant || !now.After(session.TouchedAt) {
			return err
		}
		session.TouchedAt = now
		restaurantSessions.put(e, session, orgID, id)
		return nil
	})
	return session, err
}

// ExpireSessions implements [store.Store].
func (s *PostgresStore) ExpireSessions(ctx context.Context, now time.Time) (int, error) {
	return s.deleteRows(ctx, "DELETE FROM restaurant_sessions WHERE touched <= $1", unixNanos(now.Add(-restaurant.Idle)))
}

// FindPhrases implements [store.Store].
func (s *PostgresStore) FindPhrases(ctx context.Context, orgID string) (phrases *restaurant.PhraseSet, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		kept, found, err := phraseSets.find(e, orgID)
		if found {
			phrases = &kept
		}
		return err
	})
	return phrases, err
}

// ChangePhrases implements [store.Store].
func (s *PostgresStore) ChangePhrases(
	ctx context.Context, orgID, actor string, now time.Time, change func(*restaurant.PhraseSet) error,
) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := lockOrganization(e, orgID); err != nil {
			return err
		}
		phrases, _, err := phraseSets.find(e, orgID)
		if err != nil {
			return err
		}
		if err := change(&phrases); err != nil {
			return err
		}
		action := "phrases.put"
		if phrases.IsEmpty() {
			action = "phrases.reset"
			phraseSets.remove(e, orgID)
		} else {
			phrases.UpdatedAt = now
			phraseSets.put(e, phrases, orgID)
		}
		addAudit(e, orgID, store.AuditEntry{At: now, Actor: actor, Action: action, Subject: orgID})
		return nil
	})
}
