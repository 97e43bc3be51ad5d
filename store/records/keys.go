package records

import (
	"context"
	"slices"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/driver"
	"munadi/store/record"
)

var (
	keyByID   = &driver.Index{Kind: "key-id", Parts: []string{"id"}, Value: []string{"org"}, Unique: true}
	keyByHash = &driver.Index{Kind: "key-hash", Parts: []string{"hash"}, Value: []string{"org", "id"}, Unique: true}

	apiKeys = declareKind(driver.Table{
		Kind: "key", Name: "api_keys", Key: []string{"org", "id"}, Columns: []string{"hash", "made"},
		Numbers: []string{"made"}, Indexes: []*driver.Index{keyByID, keyByHash},
	}, func(k account.APIKey) []any {
		return []any{k.Hash, record.UnixNanos(k.CreatedAt)}
	}, func([]string) error { return noKey() })
)

// noKey is the not-found error; it omits the id, because users paste secrets in place of ids.
func noKey() error { return store.Errorf(store.CodeNotFound, "there is no such key") }

// CreateKey implements [store.KeyStore].
func (s *Records) CreateKey(ctx context.Context, k account.APIKey, actor string) error {
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		if err := needOrganization(tx, k.OrgID); err != nil {
			return audited{}, err
		}
		entry := store.AuditEntry{
			At: k.CreatedAt, Actor: actor, Action: "key.create", Subject: k.Prefix,
			Note: k.Name + ": " + account.JoinScopes(k.Scopes),
		}
		return audited{k.OrgID, entry}, addKey(tx, k)
	})
}

// addKey adds k unless its id or hash is in use.
func addKey(tx driver.Tx, k account.APIKey) error {
	if !record.IsKeyPart(k.ID) || len(k.Hash) == 0 {
		return store.Errorf(store.CodeInvalid, "a key needs an id without '/' and a hash")
	}
	return apiKeys.add(tx, k, "this key exists already", k.OrgID, k.ID)
}

// FindKey implements [store.KeyStore].
func (s *Records) FindKey(ctx context.Context, id string) (account.APIKey, error) {
	return s.findKey(ctx, driver.Query{Index: keyByID, Equal: []any{id}})
}

// KeyByHash implements [store.KeyStore].
func (s *Records) KeyByHash(ctx context.Context, hash []byte) (account.APIKey, error) {
	return s.findKey(ctx, driver.Query{Index: keyByHash, Equal: []any{hash}})
}

// findKey returns the key of a query.
func (s *Records) findKey(ctx context.Context, q driver.Query) (account.APIKey, error) {
	return read(ctx, s, func(tx driver.Tx) (account.APIKey, error) { return apiKeys.one(tx, q) })
}

// ListKeys implements [store.KeyStore].
func (s *Records) ListKeys(ctx context.Context, orgID string) (all []account.APIKey, err error) {
	all, err = read(ctx, s, func(tx driver.Tx) ([]account.APIKey, error) {
		return apiKeys.list(tx, driver.Query{Equal: []any{orgID}})
	})
	slices.SortStableFunc(all, func(a, b account.APIKey) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return all, err
}

// RevokeKey implements [store.KeyStore].
func (s *Records) RevokeKey(ctx context.Context, orgID, id, actor string, now time.Time) (k account.APIKey, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		if k, err = apiKeys.lock(tx, orgID, id); err != nil || !k.IsLive() {
			return done, err
		}
		tx.MarkUrgent()
		k.RevokedAt = &now
		entry := store.AuditEntry{At: now, Actor: actor, Action: "key.revoke", Subject: k.Prefix, Note: k.Name}
		return audited{orgID, entry}, apiKeys.put(tx, k, orgID, id)
	})
	return k, err
}

// TouchKey implements [store.KeyStore].
func (s *Records) TouchKey(ctx context.Context, orgID, id string, now time.Time) error {
	return s.db.Update(ctx, func(tx driver.Tx) error {
		k, err := apiKeys.lock(tx, orgID, id)
		if err != nil || k.LastUsedAt != nil && !now.After(*k.LastUsedAt) {
			return err
		}
		k.LastUsedAt = &now
		return apiKeys.put(tx, k, orgID, id)
	})
}
