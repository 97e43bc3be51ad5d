package records

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/driver"
	"munadi/store/record"
)

var (
	userByName = &driver.Index{Kind: "user-name", Parts: []string{"name"}, Value: []string{"id"}, Unique: true}
	usersOfOrg = &driver.Index{Kind: "user-of", Parts: []string{"org", "id"}}

	users = declareKind(driver.Table{
		Kind: "user", Name: "users", Key: []string{"id"}, Columns: []string{"org", "name"},
		Indexes: []*driver.Index{userByName, usersOfOrg},
	}, func(u account.User) []any {
		return []any{u.OrgID, strings.ToLower(u.Name)}
	}, func([]string) error { return record.NoUser() })
)

// CreateUser implements [store.UserStore].
func (s *Records) CreateUser(ctx context.Context, u account.User, actor string) error {
	if err := record.CheckUser(u); err != nil {
		return err
	}
	return s.change(ctx, func(tx driver.Tx) (audited, error) {
		if err := needOrganization(tx, u.OrgID); err != nil {
			return audited{}, err
		}
		entry := store.AuditEntry{
			At: u.CreatedAt, Actor: actor, Action: "user.create", Subject: u.Name, Note: string(u.Role),
		}
		return audited{u.OrgID, entry}, users.add(tx, u, "there is already a user \""+u.Name+"\"", u.ID)
	})
}

// FindUser implements [store.UserStore].
func (s *Records) FindUser(ctx context.Context, id string) (account.User, error) {
	return read(ctx, s, func(tx driver.Tx) (account.User, error) { return users.need(tx, id) })
}

// UserByName implements [store.UserStore].
func (s *Records) UserByName(ctx context.Context, name string) (account.User, error) {
	return read(ctx, s, func(tx driver.Tx) (account.User, error) {
		return users.one(tx, driver.Query{Index: userByName, Equal: []any{strings.ToLower(name)}})
	})
}

// ListUsers implements [store.UserStore].
func (s *Records) ListUsers(ctx context.Context, orgID string) (all []account.User, err error) {
	q := driver.Query{}
	if orgID != "" {
		q = driver.Query{Index: usersOfOrg, Equal: []any{orgID}}
	}
	all, err = read(ctx, s, func(tx driver.Tx) ([]account.User, error) { return users.list(tx, q) })
	slices.SortStableFunc(all, func(a, b account.User) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return all, err
}

// ChangeUser implements [store.UserStore].
func (s *Records) ChangeUser(
	ctx context.Context, id, what, actor string, now time.Time, change func(*account.User) error,
) (after account.User, err error) {
	err = s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		before, err := lockUser(tx, id)
		if err != nil {
			return done, err
		}
		if after, err = record.ChangeUser(before, change); err != nil {
			return done, err
		}
		if !record.IsActiveOwner(after) {
			if err := needOtherOwner(tx, before); err != nil {
				return done, err
			}
		}
		entry := store.AuditEntry{At: now, Actor: actor, Action: what, Subject: after.Name}
		return audited{after.OrgID, entry}, users.put(tx, after, id)
	})
	return after, err
}

// DeleteUser implements [store.UserStore].
func (s *Records) DeleteUser(ctx context.Context, id, actor string, now time.Time) error {
	return s.change(ctx, func(tx driver.Tx) (done audited, err error) {
		u, err := lockUser(tx, id)
		if err == nil {
			err = needOtherOwner(tx, u)
		}
		if err == nil {
			_, err = endSessions(tx, id, nil)
		}
		if err != nil {
			return done, err
		}
		tx.OweCompaction()
		entry := store.AuditEntry{At: now, Actor: actor, Action: "user.delete", Subject: u.Name}
		return audited{u.OrgID, entry}, users.remove(tx, u, id)
	})
}

// lockUser locks a user and its organization, so that two owners cannot lose their role at the same time.
func lockUser(tx driver.Tx, id string) (account.User, error) {
	u, err := users.need(tx, id)
	if err == nil {
		err = lockOrganization(tx, u.OrgID)
	}
	if err != nil {
		return u, err
	}
	return users.lock(tx, id)
}

// needOtherOwner returns an error if u is the last active owner of its organization.
func needOtherOwner(tx driver.Tx, u account.User) error {
	if !record.IsActiveOwner(u) {
		return nil
	}
	all, err := users.list(tx, driver.Query{Index: usersOfOrg, Equal: []any{u.OrgID}})
	if err != nil {
		return err
	}
	return record.CheckOtherOwner(u, all)
}
