package badger

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/org"
)

// CreateSession implements [store.Users].
func (s *Store) CreateSession(ctx context.Context, session org.Session) error {
	if len(session.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a session needs a hash")
	}
	return s.edit(ctx, func(e edit) error {
		e.urge() // who is to make room must be able to sign in
		u, err := findUser(e, session.UserID)
		if err != nil {
			return err
		}
		hash := hex.EncodeToString(session.Hash)
		taken, err := e.has(key(kindWebSession, hash))
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "this session exists already")
		}
		at := session.CreatedAt
		u.LastSignInAt = &at
		e.put(key(kindUser, u.ID), u)
		e.put(key(kindWebSession, hash), session)
		e.mark(key(kindWebSessionOf, u.ID, hash))
		return e.audit(u.OrgID, store.Change{
			At: at, Actor: "user:" + u.ID, Action: "user.sign_in", Subject: u.Name, Note: session.Address,
		})
	})
}

// SessionByHash implements [store.Users].
func (s *Store) SessionByHash(ctx context.Context, hash []byte, now time.Time) (org.Session, org.User, error) {
	var (
		session org.Session
		u       org.User
	)
	err := s.read(ctx, func(v view) (err error) {
		e := edit{v, &changes{}}
		if session, err = findWebSession(e, hash, now); err != nil {
			return err
		}
		u, err = findUser(e, session.UserID)
		return err
	})
	return session, u, err
}

// TouchWebSession implements [store.Users].
func (s *Store) TouchWebSession(ctx context.Context, hash []byte, now, expires time.Time) error {
	return s.edit(ctx, func(e edit) error {
		session, err := findWebSession(e, hash, now)
		if err != nil || !now.After(session.SeenAt) {
			return err
		}
		session.SeenAt, session.ExpiresAt = now, expires
		e.put(key(kindWebSession, hex.EncodeToString(hash)), session)
		return nil
	})
}

// Sessions implements [store.Users].
func (s *Store) Sessions(ctx context.Context, userID string, now time.Time) ([]org.Session, error) {
	all := []org.Session{}
	err := s.read(ctx, func(v view) error {
		for _, hash := range sessionsOf(v, userID) {
			var session org.Session
			found, err := v.get(key(kindWebSession, hash), &session)
			if err != nil {
				return err
			}
			if found && session.ExpiresAt.After(now) {
				all = append(all, session)
			}
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b org.Session) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), slices.Compare(a.Hash, b.Hash))
	})
	return all, err
}

// EndSession implements [store.Users].
func (s *Store) EndSession(ctx context.Context, hash []byte) error {
	return s.edit(ctx, func(e edit) error {
		e.urge()
		var session org.Session
		name := hex.EncodeToString(hash)
		found, err := e.get(key(kindWebSession, name), &session)
		if err == nil && found {
			dropSession(e, session.UserID, name)
		}
		return err
	})
}

// EndSessions implements [store.Users].
func (s *Store) EndSessions(ctx context.Context, userID string, but []byte) (int, error) {
	kept, ended := hex.EncodeToString(but), 0
	err := s.edit(ctx, func(e edit) error {
		e.urge()
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

// ExpireWebSessions implements [store.Users].
func (s *Store) ExpireWebSessions(ctx context.Context, now time.Time) (int, error) {
	ended := 0
	find := func(v view, most int) ([]org.Session, error) { return expiredSessions(v, now, most) }
	treat := func(e edit, found []org.Session) error {
		for _, session := range found {
			dropSession(e, session.UserID, hex.EncodeToString(session.Hash))
		}
		return nil
	}
	err := sweep(ctx, s, find, treat, func(n int) { ended += n })
	return ended, err
}

// expiredSessions are at most so many that have expired.
func expiredSessions(v view, now time.Time, most int) ([]org.Session, error) {
	var found []org.Session
	err := eachFrom(v, prefix(kindWebSession), "", func(rest string, value []byte) (bool, error) {
		var session org.Session
		if err := decode([]byte(rest), value, &session); err != nil {
			return false, err
		}
		if !session.ExpiresAt.After(now) {
			found = append(found, session)
		}
		return len(found) < most, nil
	})
	return found, err
}

// findWebSession is the session of that hash, unless it has expired.
func findWebSession(e edit, hash []byte, now time.Time) (org.Session, error) {
	var session org.Session
	found, err := e.get(key(kindWebSession, hex.EncodeToString(hash)), &session)
	if err == nil && (!found || !session.ExpiresAt.After(now)) {
		return session, store.Errorf(store.CodeNotFound, "there is no such session")
	}
	return session, err
}

// sessionsOf are the hashes of a user's sessions, in hex.
func sessionsOf(v view, userID string) []string {
	if !plain(userID) {
		return nil
	}
	var hashes []string
	v.keys(prefix(kindWebSessionOf, userID), func(hash string) bool {
		hashes = append(hashes, hash)
		return true
	})
	return hashes
}

// dropSession deletes a session.
func dropSession(e edit, userID, hash string) {
	e.drop(key(kindWebSession, hash))
	e.drop(key(kindWebSessionOf, userID, hash))
}
