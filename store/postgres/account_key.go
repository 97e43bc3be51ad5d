package postgres

import (
	"context"
	"encoding/hex"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/record"
)

// CreateKey implements [store.Store].
func (s *PostgresStore) CreateKey(ctx context.Context, k account.APIKey, actor string) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := needOrganization(e, k.OrgID); err != nil {
			return err
		}
		addAudit(e, k.OrgID, store.AuditEntry{
			At: k.CreatedAt, Actor: actor, Action: "key.create", Subject: k.Prefix,
			Note: k.Name + ": " + account.JoinScopes(k.Scopes),
		})
		return addKey(e, k)
	})
}

// addKey adds k unless its id or hash is in use.
func addKey(e *dbTx, k account.APIKey) error {
	if !record.IsKeyPart(k.ID) || len(k.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a key needs an id without '/' and a hash")
	}
	added, err := apiKeys.add(e, k, k.OrgID, k.ID)
	return needAdded(added, err, "this key exists already")
}

// FindKey implements [store.Store].
func (s *PostgresStore) FindKey(ctx context.Context, id string) (account.APIKey, error) {
	if !record.IsKeyPart(id) {
		return account.APIKey{}, noKey()
	}
	return s.firstKey(ctx, "WHERE id = $1", id)
}

// KeyByHash implements [store.Store].
func (s *PostgresStore) KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error) {
	return s.firstKey(ctx, "WHERE hash = $1", hash)
}

// firstKey returns the first key that meets a condition.
func (s *PostgresStore) firstKey(ctx context.Context, where string, arg any) (k account.APIKey, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		var found bool
		if k, found, err = apiKeys.first(e, where, arg); err == nil && !found {
			return noKey()
		}
		return err
	})
	return k, err
}

// ListKeys implements [store.Store].
func (s *PostgresStore) ListKeys(ctx context.Context, orgID string) (all []account.APIKey, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		all, err = apiKeys.list(e, "WHERE org = $1 ORDER BY made, id", orgID)
		return err
	})
	return all, err
}

// RevokeKey implements [store.Store].
func (s *PostgresStore) RevokeKey(
	ctx context.Context, orgID, id, actor string, now time.Time,
) (account.APIKey, error) {
	return s.changeKey(ctx, orgID, id, func(e *dbTx, k *account.APIKey) bool {
		if !k.IsLive() {
			return false
		}
		k.RevokedAt = &now
		addAudit(e, orgID, store.AuditEntry{
			At: now, Actor: actor, Action: "key.revoke", Subject: k.Prefix, Note: k.Name,
		})
		return true
	})
}

// TouchKey implements [store.Store].
func (s *PostgresStore) TouchKey(ctx context.Context, orgID, id string, now time.Time) error {
	_, err := s.changeKey(ctx, orgID, id, func(_ *dbTx, k *account.APIKey) bool {
		if k.LastUsedAt != nil && !now.After(*k.LastUsedAt) {
			return false
		}
		k.LastUsedAt = &now
		return true
	})
	return err
}

// changeKey changes a key and returns it; change reports whether there is a change to store.
func (s *PostgresStore) changeKey(
	ctx context.Context, orgID, id string, change func(*dbTx, *account.APIKey) bool,
) (k account.APIKey, err error) {
	err = s.updateTx(ctx, func(e *dbTx) (err error) {
		if k, err = lockIn(e, apiKeys, noKey(), orgID, id); err == nil && change(e, &k) {
			apiKeys.put(e, k, orgID, id)
		}
		return err
	})
	return k, err
}

// noKey is the not-found error; it omits the id, because users paste secrets in place of ids.
func noKey() error { return store.Errorf(store.CodeNotFound, "there is no such key") }

// hashName encodes a hash in hex, as a table's key.
func hashName(hash []byte) string { return hex.EncodeToString(hash) }
