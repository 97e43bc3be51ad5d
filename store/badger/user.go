package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/record"
)

// CreateUser implements [store.UserStore].
func (s *BadgerStore) CreateUser(ctx context.Context, u account.User, actor string) error {
	if err := record.CheckUser(u); err != nil {
		return err
	}
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(u.OrgID); err != nil {
			return err
		}
		for _, index := range [][]byte{joinKey(kindUser, u.ID), nameKey(u.Name)} {
			taken, err := e.hasKey(index)
			if err != nil {
				return err
			}
			if taken {
				return store.Errorf(store.CodeConflict, "there is already a user %q", u.Name)
			}
		}
		e.putRecord(joinKey(kindUser, u.ID), u)
		e.putRaw(nameKey(u.Name), []byte(u.ID))
		e.putIndex(joinKey(kindUserOf, u.OrgID, u.ID))
		return e.addAudit(u.OrgID, store.AuditEntry{
			At: u.CreatedAt, Actor: actor, Action: "user.create", Subject: u.Name, Note: string(u.Role),
		})
	})
}

// nameKey returns the index key of a user's name.
func nameKey(name string) []byte { return joinKey(kindUserName, strings.ToLower(name)) }

// FindUser implements [store.UserStore].
func (s *BadgerStore) FindUser(ctx context.Context, id string) (account.User, error) {
	var u account.User
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		u, err = findUser(writeTx{v, &changeSet{}}, id)
		return err
	})
	return u, err
}

// UserByName implements [store.UserStore].
func (s *BadgerStore) UserByName(ctx context.Context, name string) (account.User, error) {
	var u account.User
	err := s.readSnapshot(ctx, func(v snapshotView) error {
		id, found, err := v.rawValue(nameKey(name))
		if err != nil {
			return err
		}
		if !found {
			return record.NoUser()
		}
		u, err = findUser(writeTx{v, &changeSet{}}, string(id))
		return err
	})
	return u, err
}

// ListUsers implements [store.UserStore].
func (s *BadgerStore) ListUsers(ctx context.Context, orgID string) ([]account.User, error) {
	var all []account.User
	err := s.readSnapshot(ctx, func(v snapshotView) (err error) {
		all, err = usersOf(v, orgID)
		return err
	})
	slices.SortStableFunc(all, func(a, b account.User) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return all, err
}

// usersOf returns an organization's users; all users for an empty id.
func usersOf(v snapshotView, orgID string) ([]account.User, error) {
	if orgID == "" {
		return listRecords[account.User](v, joinPrefix(kindUser))
	}
	if !isKeyPart(orgID) {
		return nil, nil
	}
	var ids []string
	v.visitKeys(joinPrefix(kindUserOf, orgID), func(id string) bool {
		ids = append(ids, id)
		return true
	})
	all := make([]account.User, 0, len(ids))
	for _, id := range ids {
		u, err := findUser(writeTx{v, &changeSet{}}, id)
		if err == nil {
			all = append(all, u)
		} else if err = ignoreMissing(err); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// ChangeUser implements [store.UserStore].
func (s *BadgerStore) ChangeUser(
	ctx context.Context, id, what, actor string, now time.Time, change func(*account.User) error,
) (account.User, error) {
	var changed account.User
	err := s.updateTx(ctx, func(e writeTx) error {
		before, err := findUser(e, id)
		if err != nil {
			return err
		}
		after, err := record.ChangeUser(before, change)
		if err != nil {
			return err
		}
		if record.IsActiveOwner(before) && !record.IsActiveOwner(after) {
			if err := needOtherOwner(e, before); err != nil {
				return err
			}
		}
		changed = after
		e.putRecord(joinKey(kindUser, id), after)
		return e.addAudit(after.OrgID, store.AuditEntry{At: now, Actor: actor, Action: what, Subject: after.Name})
	})
	return changed, err
}

// DeleteUser implements [store.UserStore].
func (s *BadgerStore) DeleteUser(ctx context.Context, id, actor string, now time.Time) error {
	return s.updateTx(ctx, func(e writeTx) error {
		u, err := findUser(e, id)
		if err != nil {
			return err
		}
		if record.IsActiveOwner(u) {
			if err := needOtherOwner(e, u); err != nil {
				return err
			}
		}
		e.oweCompaction()
		for _, hash := range sessionsOf(e.view, id) {
			dropSession(e, id, hash)
		}
		e.deleteKey(joinKey(kindUser, id))
		e.deleteKey(nameKey(u.Name))
		e.deleteKey(joinKey(kindUserOf, u.OrgID, id))
		return e.addAudit(u.OrgID, store.AuditEntry{At: now, Actor: actor, Action: "user.delete", Subject: u.Name})
	})
}

// needOtherOwner returns an error unless the organization of u has another active owner. It scans the organization's
// users, which are few and seldom change.
func needOtherOwner(e writeTx, u account.User) error {
	all, err := usersOf(e.view, u.OrgID)
	if err != nil {
		return err
	}
	return record.CheckOtherOwner(u, all)
}

// findUser returns the user of an id.
func findUser(e writeTx, id string) (account.User, error) {
	var u account.User
	if !isKeyPart(id) {
		return u, record.NoUser()
	}
	found, err := e.getRecord(joinKey(kindUser, id), &u)
	if err == nil && !found {
		return u, record.NoUser()
	}
	return u, err
}

// AddAudit implements [store.UserStore].
func (s *BadgerStore) AddAudit(ctx context.Context, orgID string, c store.AuditEntry) error {
	return s.updateTx(ctx, func(e writeTx) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		return e.addAudit(orgID, c)
	})
}
