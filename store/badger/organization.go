package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// Bootstrap implements [store.Store].
func (s *BadgerStore) Bootstrap(
	ctx context.Context,
	first account.Organization,
	k *account.APIKey,
	now time.Time,
) (bool, error) {
	var made bool
	err := s.submitCommand(ctx, func(v snapshotView, c *changeSet) error {
		before, err := v.hasKey(joinKey(kindBootstrap))
		if store.IsUnreadable(err) { // a database with damaged records is not a new one
			return nil
		}
		if made = !before && err == nil; !made {
			return err
		}
		c.putRecord(joinKey(kindBootstrap), now)
		if err := createOrganization(v, c, first); err != nil && store.CodeOf(err) != store.CodeConflict {
			return err
		}
		if k == nil {
			return nil
		}
		return addKey(v, c, *k)
	})
	return made && err == nil, err
}

// CreateOrganization implements [store.Store].
func (s *BadgerStore) CreateOrganization(ctx context.Context, o account.Organization, actor string) error {
	return s.updateTx(ctx, func(e writeTx) error {
		if err := createOrganization(e.view, e.changeSet, o); err != nil {
			return err
		}
		return e.addAudit(o.ID, store.AuditEntry{
			At: o.CreatedAt, Actor: actor, Action: "organization.create", Subject: o.ID,
		})
	})
}

// createOrganization adds o unless its id is in use.
func createOrganization(v snapshotView, c *changeSet, o account.Organization) error {
	if err := account.CheckID(o.ID); err != nil {
		return store.Errorf(store.CodeInvalid, "%v", err)
	}
	taken, err := v.hasKey(joinKey(kindOrg, o.ID))
	if err != nil {
		return err
	}
	if taken {
		return store.Errorf(store.CodeConflict, "there is already an organization %q", o.ID)
	}
	c.putRecord(joinKey(kindOrg, o.ID), o)
	return nil
}

// FindOrganization implements [store.Store].
func (s *BadgerStore) FindOrganization(ctx context.Context, id string) (account.Organization, error) {
	var o account.Organization
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		found, err := v.getRecord(joinKey(kindOrg, id), &o)
		if err == nil && !found {
			return noOrganization(id)
		}
		return err
	})
	return o, err
}

// ListOrganizations implements [store.Store].
func (s *BadgerStore) ListOrganizations(ctx context.Context) ([]account.Organization, error) {
	var all []account.Organization
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		all, err = listRecords[account.Organization](v, joinPrefix(kindOrg))
		return err
	})
	return all, err
}

// needOrganization returns [store.CodeNotFound] unless the organization exists.
func needOrganization(v snapshotView, id string) error {
	found, err := v.hasKey(joinKey(kindOrg, id))
	switch {
	case store.IsUnreadable(err):
		return nil // it exists, but is damaged
	case err == nil && !found:
		return noOrganization(id)
	}
	return err
}

// noOrganization returns the not-found error of an organization.
func noOrganization(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no organization %q", id)
}
