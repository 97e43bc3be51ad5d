package badger

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/org"
)

// CreateKey implements [store.Store].
func (s *Store) CreateKey(ctx context.Context, k org.Key) error {
	return s.write(ctx, func(v view, c *changes) error {
		if err := needOrganization(v, k.OrgID); err != nil {
			return err
		}
		return addKey(v, c, k)
	})
}

// addKey adds k unless its id or its hash is in use.
func addKey(v view, c *changes, k org.Key) error {
	if !plain(k.ID) || len(k.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a key needs an id without '/' and a hash")
	}
	for _, index := range [][]byte{key(kindKeyID, k.ID), hashKey(k.Hash)} {
		taken, err := v.has(index)
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "this key exists already")
		}
	}
	c.put(key(kindKey, k.OrgID, k.ID), k)
	c.raw(key(kindKeyID, k.ID), []byte(k.OrgID))
	c.raw(hashKey(k.Hash), []byte(k.OrgID+"/"+k.ID))
	return nil
}

// Key implements [store.Store].
func (s *Store) Key(ctx context.Context, id string) (org.Key, error) {
	var k org.Key
	err := s.read(ctx, func(v view) error {
		orgID, found, err := v.raw(key(kindKeyID, id))
		if err != nil {
			return err
		}
		if !found {
			return noKey()
		}
		k, err = findKey(v, string(orgID), id)
		return err
	})
	return k, err
}

// KeyByHash implements [store.Store].
func (s *Store) KeyByHash(ctx context.Context, hash []byte) (org.Key, error) {
	var k org.Key
	err := s.read(ctx, func(v view) error {
		place, found, err := v.raw(hashKey(hash))
		if err != nil {
			return err
		}
		if !found {
			return noKey()
		}
		found, err = v.get(key(kindKey, string(place)), &k)
		if err == nil && !found {
			return noKey()
		}
		return err
	})
	return k, err
}

// Keys implements [store.Store].
func (s *Store) Keys(ctx context.Context, orgID string) ([]org.Key, error) {
	var all []org.Key
	err := s.read(ctx, func(v view) (err error) {
		all, err = list[org.Key](v, prefix(kindKey, orgID))
		return err
	})
	slices.SortStableFunc(all, func(a, b org.Key) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all, err
}

// RevokeKey implements [store.Store].
func (s *Store) RevokeKey(ctx context.Context, orgID, id string, now time.Time) (org.Key, error) {
	var k org.Key
	err := s.write(ctx, func(v view, c *changes) (err error) {
		if k, err = findKey(v, orgID, id); err != nil || !k.Live() {
			return err
		}
		c.urge()
		k.RevokedAt = &now
		c.put(key(kindKey, orgID, id), k)
		return nil
	})
	return k, err
}

// TouchKey implements [store.Store].
func (s *Store) TouchKey(ctx context.Context, orgID, id string, now time.Time) error {
	return s.write(ctx, func(v view, c *changes) error {
		k, err := findKey(v, orgID, id)
		if err != nil || k.LastUsedAt != nil && !now.After(*k.LastUsedAt) {
			return err
		}
		k.LastUsedAt = &now
		c.put(key(kindKey, orgID, id), k)
		return nil
	})
}

// findKey is an organization's key.
func findKey(v view, orgID, id string) (org.Key, error) {
	var k org.Key
	found, err := v.get(key(kindKey, orgID, id), &k)
	if err == nil && !found {
		return k, noKey()
	}
	return k, err
}

// noKey says that there is none; the id stays out of it, people paste keys for ids.
func noKey() error { return store.Errorf(store.CodeNotFound, "there is no such key") }
