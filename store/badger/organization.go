package badger

import (
	"context"
	"time"

	"munadi/store"
	"munadi/store/org"
)

// Bootstrap implements [store.Store].
func (s *Store) Bootstrap(ctx context.Context, first org.Organization, k *org.Key, now time.Time) (bool, error) {
	var made bool
	err := s.write(ctx, func(v view, c *changes) error {
		before, err := v.has(key(kindBootstrap))
		if made = !before && err == nil; !made {
			return err
		}
		c.put(key(kindBootstrap), now)
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
func (s *Store) CreateOrganization(ctx context.Context, o org.Organization) error {
	return s.write(ctx, func(v view, c *changes) error { return createOrganization(v, c, o) })
}

// createOrganization adds o unless its id is in use.
func createOrganization(v view, c *changes, o org.Organization) error {
	if err := org.CheckID(o.ID); err != nil {
		return store.Errorf(store.CodeInvalid, "%v", err)
	}
	taken, err := v.has(key(kindOrg, o.ID))
	if err != nil {
		return err
	}
	if taken {
		return store.Errorf(store.CodeConflict, "there is already an organization %q", o.ID)
	}
	c.put(key(kindOrg, o.ID), o)
	return nil
}

// Organization implements [store.Store].
func (s *Store) Organization(ctx context.Context, id string) (org.Organization, error) {
	var o org.Organization
	err := s.read(ctx, func(v view) error {
		found, err := v.get(key(kindOrg, id), &o)
		if err == nil && !found {
			return noOrganization(id)
		}
		return err
	})
	return o, err
}

// Organizations implements [store.Store].
func (s *Store) Organizations(ctx context.Context) ([]org.Organization, error) {
	var all []org.Organization
	err := s.read(ctx, func(v view) (err error) {
		all, err = list[org.Organization](v, prefix(kindOrg))
		return err
	})
	return all, err
}

// needOrganization is an error unless there is an organization of that id.
func needOrganization(v view, id string) error {
	found, err := v.has(key(kindOrg, id))
	if err == nil && !found {
		return noOrganization(id)
	}
	return err
}

// noOrganization says that there is none.
func noOrganization(id string) error {
	return store.Errorf(store.CodeNotFound, "there is no organization %q", id)
}
