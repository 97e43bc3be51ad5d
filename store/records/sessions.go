package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/driver"
	"munadi/store/record"
)

var (
	sessionsOfUser = &driver.Index{Kind: "web-session-of", Parts: []string{"user_id", "hash"}}

	webSessions = declareKind(driver.Table{
		Kind: "web-session", Name: "web_sessions", Key: []string{"hash"}, Columns: []string{"user_id", "expires"},
		Numbers: []string{"expires"}, Indexes: []*driver.Index{sessionsOfUser},
	}, func(s account.UserSession) []any {
		return []any{s.UserID, record.UnixNanos(s.ExpiresAt)}
	}, func([]string) error { return store.Errorf(store.CodeNotFound, "there is no such session") })
)

// sessionKey returns the key of a session.
func sessionKey(hash []byte) string { return hex.EncodeToString(hash) }

// CreateSession implements [store.UserStore].
func (s *Records) CreateSession(ctx context.Context, session account.UserSession) error {
	if len(session.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a session needs a hash")
	}
	return s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		tx.MarkUrgent() // an administrator must be able to sign in to free space
		u, err := users.lock(tx, session.UserID)
		if err == nil {
			err = webSessions.add(tx, session, "this session exists already", sessionKey(session.Hash))
		}
		if err != nil {
			return done, err
		}
		at := session.CreatedAt
		u.LastSignInAt = &at
		entry := store.AuditEntry{
			At: at, Actor: "user:" + u.ID, Action: "user.sign_in", Subject: u.Name, Note: session.Address,
		}
		return audited{u.OrgID, entry}, users.put(tx, u, u.ID)
	})
}

// SessionByHash implements [store.UserStore].
func (s *Records) SessionByHash(
	ctx context.Context, hash []byte, now time.Time,
) (session account.UserSession, u account.User, err error) {
	err = s.db.Read(ctx, func(tx driver.Tx) (err error) {
		if session, err = webSessions.need(tx, sessionKey(hash)); err == nil {
			err = checkFresh(session, now)
		}
		if err == nil {
			u, err = users.need(tx, session.UserID)
		}
		return err
	})
	return session, u, err
}

// checkFresh refuses an expired session as one that does not exist.
func checkFresh(session account.UserSession, now time.Time) error {
	if session.ExpiresAt.After(now) {
		return nil
	}
	return webSessions.missing(nil)
}

// TouchWebSession implements [store.UserStore].
func (s *Records) TouchWebSession(ctx context.Context, hash []byte, now, expires time.Time) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		session, err := webSessions.lock(tx, sessionKey(hash))
		if err == nil {
			err = checkFresh(session, now)
		}
		if err != nil || !now.After(session.SeenAt) {
			return err
		}
		session.SeenAt, session.ExpiresAt = now, expires
		return webSessions.put(tx, session, sessionKey(hash))
	})
}

// ConfirmWebSession implements [store.UserStore].
func (s *Records) ConfirmWebSession(ctx context.Context, hash []byte, now time.Time, external string) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		session, err := webSessions.lock(tx, sessionKey(hash))
		if err == nil {
			err = checkFresh(session, now)
		}
		if err != nil {
			return err
		}
		session.ConfirmedAt, session.ExternalSession = &now, cmp.Or(external, session.ExternalSession)
		return webSessions.put(tx, session, sessionKey(hash))
	})
}

// ListSessions implements [store.UserStore].
func (s *Records) ListSessions(
	ctx context.Context, userID string, now time.Time,
) (all []account.UserSession, err error) {
	all, err = read(ctx, s, func(tx driver.Tx) ([]account.UserSession, error) {
		return webSessions.list(tx, driver.Query{Index: sessionsOfUser, Equal: []any{userID}})
	})
	all = slices.DeleteFunc(all, func(session account.UserSession) bool { return checkFresh(session, now) != nil })
	slices.SortStableFunc(all, func(a, b account.UserSession) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), bytes.Compare(a.Hash, b.Hash))
	})
	return all, err
}

// EndSession implements [store.UserStore].
func (s *Records) EndSession(ctx context.Context, hash []byte) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		tx.MarkUrgent()
		session, found, err := webSessions.find(tx, sessionKey(hash))
		if err != nil || !found {
			return err
		}
		return webSessions.remove(tx, session, sessionKey(hash))
	})
}

// EndSessions implements [store.UserStore].
func (s *Records) EndSessions(ctx context.Context, userID string, but []byte) (ended int, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) (err error) {
		tx.MarkUrgent()
		ended, err = endSessions(tx, userID, but)
		return err
	})
	return ended, err
}

// endSessions deletes all sessions of a user except but and returns their number.
func endSessions(tx driver.Tx, userID string, but []byte) (ended int, err error) {
	err = webSessions.visit(tx, driver.Query{Index: sessionsOfUser, Equal: []any{userID}, Lock: true},
		func(_ driver.Row, session account.UserSession) (bool, error) {
			if bytes.Equal(session.Hash, but) {
				return true, nil
			}
			ended++
			return true, webSessions.remove(tx, session, sessionKey(session.Hash))
		})
	return ended, err
}

// ExpireWebSessions implements [store.UserStore].
func (s *Records) ExpireWebSessions(ctx context.Context, now time.Time) (int, error) {
	expired := driver.Query{Where: []driver.Condition{
		{Column: "expires", Value: record.UnixNanos(now), Op: driver.AtMost},
	}}
	all, err := webSessions.sweep(ctx, s.db, expired,
		func(tx driver.Tx, session account.UserSession) (account.UserSession, error) {
			return session, webSessions.remove(tx, session, sessionKey(session.Hash))
		})
	return len(all), err
}

var oneTimes = declareKind(driver.Table{
	Kind: "one-time", Name: "one_times", Key: []string{"hash"}, Columns: []string{"expires"}, Numbers: []string{"expires"},
}, func(r account.OneTimeRecord) []any {
	return []any{record.UnixNanos(r.ExpiresAt)}
}, func([]string) error { return store.Errorf(store.CodeNotFound, "this was used already, or has expired") })

// AddOneTime implements [store.UserStore].
func (s *Records) AddOneTime(ctx context.Context, r account.OneTimeRecord, now time.Time) error {
	if len(r.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a record that is accepted once needs a hash")
	}
	key := sessionKey(r.Hash)
	return s.db.Update(ctx, func(tx driver.Tx) error {
		tx.MarkUrgent() // an administrator must be able to sign in to free space
		before, found, err := oneTimes.lockReadable(tx, key)
		if err != nil {
			return err
		}
		if found && !before.ExpiresAt.After(now) {
			return oneTimes.replace(tx, before, r, key)
		}
		return oneTimes.add(tx, r, "this was used already", key)
	})
}

// TakeOneTime implements [store.UserStore].
func (s *Records) TakeOneTime(
	ctx context.Context, hash []byte, now time.Time,
) (taken account.OneTimeRecord, err error) {
	err = s.db.Update(ctx, func(tx driver.Tx) (err error) {
		tx.MarkUrgent()
		if taken, err = oneTimes.lock(tx, sessionKey(hash)); err != nil {
			return err
		}
		if !taken.ExpiresAt.After(now) {
			return oneTimes.missing(nil)
		}
		return oneTimes.remove(tx, taken, sessionKey(hash))
	})
	if err != nil {
		return account.OneTimeRecord{}, err
	}
	return taken, nil
}

// ExpireOneTimes implements [store.UserStore].
func (s *Records) ExpireOneTimes(ctx context.Context, now time.Time) (int, error) {
	expired := driver.Query{Where: []driver.Condition{
		{Column: "expires", Value: record.UnixNanos(now), Op: driver.AtMost},
	}}
	all, err := oneTimes.sweep(ctx, s.db, expired,
		func(tx driver.Tx, r account.OneTimeRecord) (account.OneTimeRecord, error) {
			return r, oneTimes.remove(tx, r, sessionKey(r.Hash))
		})
	return len(all), err
}
