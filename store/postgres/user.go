package postgres

import (
	"context"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/record"
)

var users = tableOf[account.User]{
	name: "users", keys: []string{"id"}, others: []string{"org", "name"},
	derive: func(u account.User) []any { return []any{u.OrgID, strings.ToLower(u.Name)} },
}

// CreateUser implements [store.UserStore].
func (s *PostgresStore) CreateUser(ctx context.Context, u account.User, actor string) error {
	if err := record.CheckUser(u); err != nil {
		return err
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		if err := needOrganization(e, u.OrgID); err != nil {
			return err
		}
		added, err := users.add(e, u, u.ID)
		if err := needAdded(added, err, "there is already a user %q", u.Name); err != nil {
			return err
		}
		addAudit(e, u.OrgID, store.AuditEntry{
			At: u.CreatedAt, Actor: actor, Action: "user.create", Subject: u.Name, Note: string(u.Role),
		})
		return nil
	})
}

// FindUser implements [store.UserStore].
func (s *PostgresStore) FindUser(ctx context.Context, id string) (u account.User, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		u, err = findIn(e, users, record.NoUser(), id)
		return err
	})
	return u, err
}

// UserByName implements [store.UserStore].
func (s *PostgresStore) UserByName(ctx context.Context, name string) (u account.User, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		if !record.IsKeyPart(name) {
			return record.NoUser()
		}
		var found bool
		if u, found, err = users.first(e, "WHERE name = $1", strings.ToLower(name)); err == nil && !found {
			return record.NoUser()
		}
		return err
	})
	return u, err
}

// ListUsers implements [store.UserStore].
func (s *PostgresStore) ListUsers(ctx context.Context, orgID string) (all []account.User, err error) {
	err = s.readRows(ctx, func(e *dbTx) (err error) {
		all, err = users.list(e, "WHERE org = $1 OR $1 = '' ORDER BY name", orgID)
		return err
	})
	return all, err
}

// ChangeUser implements [store.UserStore].
func (s *PostgresStore) ChangeUser(
	ctx context.Context, id, what, actor string, now time.Time, change func(*account.User) error,
) (after account.User, err error) {
	err = s.updateTx(ctx, func(e *dbTx) error {
		before, err := lockUser(e, id)
		if err != nil {
			return err
		}
		if after, err = record.ChangeUser(before, change); err != nil {
			return err
		}
		if !record.IsActiveOwner(after) {
			if err := needOtherOwner(e, before); err != nil {
				return err
			}
		}
		users.put(e, after, id)
		addAudit(e, after.OrgID, store.AuditEntry{At: now, Actor: actor, Action: what, Subject: after.Name})
		return nil
	})
	return after, err
}

// lockUser locks a user and its organization, so that two owners cannot lose their role at the same time.
func lockUser(e *dbTx, id string) (account.User, error) {
	u, err := findIn(e, users, record.NoUser(), id)
	if err == nil {
		err = lockOrganization(e, u.OrgID)
	}
	if err != nil {
		return u, err
	}
	return lockIn(e, users, record.NoUser(), id)
}

// DeleteUser implements [store.UserStore].
func (s *PostgresStore) DeleteUser(ctx context.Context, id, actor string, now time.Time) error {
	return s.updateTx(ctx, func(e *dbTx) error {
		u, err := lockUser(e, id)
		if err != nil {
			return err
		}
		if err := needOtherOwner(e, u); err != nil {
			return err
		}
		e.queueWrite("DELETE FROM web_sessions WHERE user_id = $1", id)
		users.remove(e, id)
		addAudit(e, u.OrgID, store.AuditEntry{At: now, Actor: actor, Action: "user.delete", Subject: u.Name})
		return nil
	})
}

// needOtherOwner returns an error if u is the last active owner of its organization.
func needOtherOwner(e *dbTx, u account.User) error {
	if !record.IsActiveOwner(u) {
		return nil
	}
	all, err := users.list(e, "WHERE org = $1", u.OrgID)
	if err != nil {
		return err
	}
	return record.CheckOtherOwner(u, all)
}
