package badger

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// CreateKey implements [store.Store].
func (s *BadgerStore) CreateKey(ctx context.Context, k account.APIKey, actor string) error {
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(k.OrgID); err != nil {
			return err
		}
		if err := addKey(e.view, e.changeSet, k); err != nil {
			return err
		}
		return e.addAudit(k.OrgID, store.AuditEntry{
			At: k.CreatedAt, Actor: actor, Action: "key.create", Subject: k.Prefix,
			Note: k.Name + ": " + account.JoinScopes(k.Scopes),
		})
	})
}

// addKey adds k unless its id or hash is in use.
func addKey(v snapshotView, c *changeSet, k account.APIKey) error {
	if !isKeyPart(k.ID) || len(k.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a key needs an id without '/' and a hash")
	}
	for _, index := range [][]byte{joinKey(kindKeyID, k.ID), hashKey(k.Hash)} {
		taken, err := v.hasKey(index)
		if err != nil {
			return err
		}
		if taken {
			return store.Errorf(store.CodeConflict, "this key exists already")
		}
	}
	c.putRecord(joinKey(kindKey, k.OrgID, k.ID), k)
	c.putRaw(joinKey(kindKeyID, k.ID), []byte(k.OrgID))
	c.putRaw(hashKey(k.Hash), []byte(k.OrgID+"/"+k.ID))
	return nil
}

// FindKey implements [store.Store].
func (s *BadgerStore) FindKey(ctx context.Context, id string) (account.APIKey, error) {
	var k account.APIKey
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		orgID, found, err := v.rawValue(joinKey(kindKeyID, id))
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
func (s *BadgerStore) KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error) {
	var k account.APIKey
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		place, found, err := v.rawValue(hashKey(hash))
		if err != nil {
			return err
		}
		if !found {
			return noKey()
		}
		found, err = v.getRecord(joinKey(kindKey, string(place)), &k)
		if err == nil && !found {
			return noKey()
		}
		return err
	})
	return k, err
}

// ListKeys implements [store.Store].
func (s *BadgerStore) ListKeys(ctx context.Context, orgID string) ([]account.APIKey, error) {
	var all []account.APIKey
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		all, err = listRecords[account.APIKey](v, joinPrefix(kindKey, orgID))
		return err
	})
	slices.SortStableFunc(all, func(a, b account.APIKey) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all, err
}

// RevokeKey implements [store.Store].
func (s *BadgerStore) RevokeKey(
	ctx context.Context, orgID, id, actor string, now time.Time,
) (account.APIKey, error) {
	var k account.APIKey
	err := s.updateTx(ctx, func(e writeTx) (err error) {
		if k, err = findKey(e.view, orgID, id); err != nil || !k.IsLive() {
			return err
		}
		e.markUrgent()
		k.RevokedAt = &now
		e.putRecord(joinKey(kindKey, orgID, id), k)
		return e.addAudit(orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "key.revoke", Subject: k.Prefix, Note: k.Name,
		})
	})
	return k, err
}

// TouchKey implements [store.Store].
func (s *BadgerStore) TouchKey(ctx context.Context, orgID, id string, now time.Time) error {
	return s.submitCommand(ctx, func(v snapshotView, c *changeSet) error {
		k, err := findKey(v, orgID, id)
		if err != nil || k.LastUsedAt != nil && !now.After(*k.LastUsedAt) {
			return err
		}
		k.LastUsedAt = &now
		c.putRecord(joinKey(kindKey, orgID, id), k)
		return nil
	})
}

// findKey returns an organization's key.
func findKey(v snapshotView, orgID, id string) (account.APIKey, error) {
	var k account.APIKey
	found, err := v.getRecord(joinKey(kindKey, orgID, id), &k)
	if err == nil && !found {
		return k, noKey()
	}
	return k, err
}

// noKey is the not-found error; it omits the id, because users paste secrets in place of ids.
func noKey() error { return store.Errorf(store.CodeNotFound, "there is no such key") }
