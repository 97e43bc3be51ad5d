package badger

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// CreateSession implements [store.UserStore].
func (s *BadgerStore) CreateSession(ctx context.Context, session account.UserSession) error {
	if len(session.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a session needs a hash")
	}
	return s.updateTx(ctx, func(e writeTx) error {
		e.markUrgent() // an administrator must be able to sign in to free space
		u, err := findUser(e, session.UserID)
		if err != nil {
			return err
		}
		hash := hex.EncodeToString(session.Hash)
		taken, err := e.hasKey(joinKey(kindWebSession, hash))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "this session exists already")
		}
		at := session.CreatedAt
		u.LastSignInAt = &at
		e.putRecord(joinKey(kindUser, u.ID), u)
		e.putRecord(joinKey(kindWebSession, hash), session)
		e.putIndex(joinKey(kindWebSessionOf, u.ID, hash))
		return e.addAudit(u.OrgID, store.AuditEntry{
			At: at, Actor: "user:" + u.ID, Action: "user.sign_in", Subject: u.Name, Note: session.Address,
		})
	})
}

// SessionByHash implements [store.UserStore].
func (s *BadgerStore) SessionByHash(
	ctx context.Context,
	hash []byte,
	now time.Time,
) (account.UserSession, account.User, error) {
	var (
		session account.UserSession
		u       account.User
	)
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		e := writeTx{v, &changeSet{}}
		if session, err = findWebSession(e, hash, now); err != nil {
			return err
		}
		u, err = findUser(e, session.UserID)
		return err
	})
	return session, u, err
}

// TouchWebSession implements [store.UserStore].
func (s *BadgerStore) TouchWebSession(ctx context.Context, hash []byte, now, expires time.Time) error {
	return s.updateTx(ctx, func(e writeTx) error {
		session, err := findWebSession(e, hash, now)
		if err != nil || !now.After(session.SeenAt) {
			return err
		}
		session.SeenAt, session.ExpiresAt = now, expires
		e.putRecord(joinKey(kindWebSession, hex.EncodeToString(hash)), session)
		return nil
	})
}

// ListSessions implements [store.UserStore].
func (s *BadgerStore) ListSessions(ctx context.Context, userID string, now time.Time) ([]account.UserSession, error) {
	all := []account.UserSession{}
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		for _, hash := range sessionsOf(v, userID) {
			var session account.UserSession
			found, err := v.getRecord(joinKey(kindWebSession, hash), &session)
			if err = ignoreMissing(err); err != nil {
				return err
			}
			if found && session.ExpiresAt.After(now) {
				all = append(all, session)
			}
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b account.UserSession) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), slices.Compare(a.Hash, b.Hash))
	})
	return all, err
}

// EndSession implements [store.UserStore].
func (s *BadgerStore) EndSession(ctx context.Context, hash []byte) error {
	return s.updateTx(ctx, func(e writeTx) error {
		e.markUrgent()
		var session account.UserSession
		name := hex.EncodeToString(hash)
		found, err := e.getRecord(joinKey(kindWebSession, name), &session)
		if err == nil && found {
			dropSession(e, session.UserID, name)
		}
		return err
	})
}

// EndSessions implements [store.UserStore].
func (s *BadgerStore) EndSessions(ctx context.Context, userID string, but []byte) (int, error) {
	kept, ended := hex.EncodeToString(but), 0
	err := s.updateTx(ctx, func(e writeTx) error {
		e.markUrgent()
		ended = 0
		for _, hash := range sessionsOf(e.view, userID) {
			if hash == kept {
				continue
			}
			dropSession(e, userID, hash)
			ended++
		}
		return nil
	})
	return ended, err
}

// ExpireWebSessions implements [store.UserStore].
func (s *BadgerStore) ExpireWebSessions(ctx context.Context, now time.Time) (int, error) {
	ended := 0
	find := func(v snapshotView, most int) ([]account.UserSession, error) { return expiredSessions(v, now, most) }
	treat := func(e writeTx, found []account.UserSession) error {
		for _, session := range found {
			dropSession(e, session.UserID, hex.EncodeToString(session.Hash))
		}
		return nil
	}
	err := sweepBatches(ctx, s, find, treat, func(n int) { ended += n })
	return ended, err
}

// expiredSessions returns the expired sessions, at most most.
func expiredSessions(v snapshotView, now time.Time, most int) ([]account.UserSession, error) {
	var found []account.UserSession
	err := eachRecord(v, joinPrefix(kindWebSession), "", func(_ string, session account.UserSession) (bool, error) {
		if !session.ExpiresAt.After(now) {
			found = append(found, session)
		}
		return len(found) < most, nil
	})
	return found, err
}

// findWebSession returns the session of a hash, unless it has expired.
func findWebSession(e writeTx, hash []byte, now time.Time) (account.UserSession, error) {
	var session account.UserSession
	found, err := e.getRecord(joinKey(kindWebSession, hex.EncodeToString(hash)), &session)
	if err == nil && (!found || !session.ExpiresAt.After(now)) {
		return session, store.Errorf(store.CodeNotFound, "there is no such session")
	}
	return session, err
}

// sessionsOf returns the hashes of a user's sessions, in hex.
func sessionsOf(v snapshotView, userID string) []string {
	if !isKeyPart(userID) {
		return nil
	}
	var hashes []string
	v.visitKeys(joinPrefix(kindWebSessionOf, userID), func(hash string) bool {
		hashes = append(hashes, hash)
		return true
	})
	return hashes
}

// dropSession deletes a session and its index entry.
func dropSession(e writeTx, userID, hash string) {
	e.deleteKey(joinKey(kindWebSession, hash))
	e.deleteKey(joinKey(kindWebSessionOf, userID, hash))
}
