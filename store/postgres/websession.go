package postgres

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/record"
)

var webSessions = tableOf[account.UserSession]{
	name: "web_sessions", keys: []string{"hash"}, others: []string{"user_id", "expires"},
	derive: func(s account.UserSession) []any { return []any{s.UserID, unixNanos(s.ExpiresAt)} },
}

// CreateSession implements [store.UserStore].
func (s *PostgresStore) CreateSession(ctx context.Context, session account.UserSession) error {
	if len(session.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a session needs a hash")
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		u, err := lockIn(e, users, record.NoUser(), session.UserID)
		if err != nil {
			return err
		}
		added, err := webSessions.add(e, session, hashName(session.Hash))
		if err := needAdded(added, err, "this session exists already"); err != nil {
			return err
		}
		at := session.CreatedAt
		u.LastSignInAt = &at
		users.put(e, u, u.ID)
		addAudit(e, u.OrgID, store.AuditEntry{
			At: at, Actor: "user:" + u.ID, Action: "user.sign_in", Subject: u.Name, Note: session.Address,
		})
		return nil
	})
}

// SessionByHash implements [store.UserStore].
func (s *PostgresStore) SessionByHash(
	ctx context.Context, hash []byte, now time.Time,
) (session account.UserSession, u account.User, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		if session, err = needFresh(webSessions.find(e, hashName(hash)))(now); err != nil {
			return err
		}
		u, err = findIn(e, users, record.NoUser(), session.UserID)
		return err
	})
	return session, u, err
}

// needFresh refuses a session that is missing or has expired.
func needFresh(
	session account.UserSession, found bool, err error,
) func(now time.Time) (account.UserSession, error) {
	return func(now time.Time) (account.UserSession, error) {
		if err == nil && (!found || !session.ExpiresAt.After(now)) {
			return session, store.Errorf(store.CodeNotFound, "there is no such session")
		}
		return session, err
	}
}

// TouchWebSession implements [store.UserStore].
func (s *PostgresStore) TouchWebSession(ctx context.Context, hash []byte, now, expires time.Time) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		session, err := needFresh(webSessions.lock(e, hashName(hash)))(now)
		if err != nil || !now.After(session.SeenAt) {
			return err
		}
		session.SeenAt, session.ExpiresAt = now, expires
		webSessions.put(e, session, hashName(hash))
		return nil
	})
}

// ListSessions implements [store.UserStore].
func (s *PostgresStore) ListSessions(
	ctx context.Context, userID string, now time.Time,
) (all []account.UserSession, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		all, err = webSessions.list(e, "WHERE user_id = $1 AND expires > $2 ORDER BY hash", userID, unixNanos(now))
		return err
	})
	slices.SortStableFunc(all, func(a, b account.UserSession) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return all, err
}

// EndSession implements [store.UserStore].
func (s *PostgresStore) EndSession(ctx context.Context, hash []byte) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		webSessions.remove(e, hashName(hash))
		return nil
	})
}

// EndSessions implements [store.UserStore].
func (s *PostgresStore) EndSessions(ctx context.Context, userID string, but []byte) (int, error) {
	return s.deleteRows(ctx, "DELETE FROM web_sessions WHERE user_id = $1 AND hash <> $2", userID, hashName(but))
}

// ExpireWebSessions implements [store.UserStore].
func (s *PostgresStore) ExpireWebSessions(ctx context.Context, now time.Time) (int, error) {
	return s.deleteRows(ctx, "DELETE FROM web_sessions WHERE expires <= $1", unixNanos(now))
}

// deleteRows runs one deletion and returns the number of deleted rows.
func (s *PostgresStore) deleteRows(ctx context.Context, sql string, args ...any) (n int, err error) {
	err = s.updateTx(ctx, func(e *dbTx) (err error) {
		n, err = e.execCount(sql, args...)
		return err
	})
	return n, err
}
