package badger

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/org"
)

// CreateUser implements [store.Users].
func (s *Store) CreateUser(ctx context.Context, u org.User, actor string) error {
	if err := checkUser(u); err != nil {
		return err
	}
	return s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(u.OrgID); err != nil {
			return err
		}
		for _, index := range [][]byte{key(kindUser, u.ID), nameKey(u.Name)} {
			taken, err := e.has(index)
			if err != nil {
				return err
			}
			if taken {
				return store.Errorf(store.CodeConflict, "there is already a user %q", u.Name)
			}
		}
		e.put(key(kindUser, u.ID), u)
		e.raw(nameKey(u.Name), []byte(u.ID))
		e.mark(key(kindUserOf, u.OrgID, u.ID))
		return e.audit(u.OrgID, store.Change{
			At: u.CreatedAt, Actor: actor, Action: "user.create", Subject: u.Name, Note: string(u.Role),
		})
	})
}

func checkUser(u org.User) error {
	if !plain(u.ID) {
		return store.Errorf(store.CodeInvalid, "a user needs an id without '/'")
	}
	if err := org.CheckUserName(u.Name); err != nil {
		return store.Errorf(store.CodeInvalid, "%v", err)
	}
	if !slices.Contains(org.Roles(), u.Role) {
		return store.Errorf(store.CodeInvalid, "there is no role %q", u.Role)
	}
	return nil
}

// nameKey is the index entry of a user's name.
func nameKey(name string) []byte { return key(kindUserName, strings.ToLower(name)) }

// User implements [store.Users].
func (s *Store) User(ctx context.Context, id string) (org.User, error) {
	var u org.User
	err := s.read(ctx, func(v view) (err error) {
		u, err = findUser(edit{v, &changes{}}, id)
		return err
	})
	return u, err
}

// UserByName implements [store.Users].
func (s *Store) UserByName(ctx context.Context, name string) (org.User, error) {
	var u org.User
	err := s.read(ctx, func(v view) error {
		id, found, err := v.raw(nameKey(name))
		if err != nil {
			return err
		}
		if !found {
			return noUser()
		}
		u, err = findUser(edit{v, &changes{}}, string(id))
		return err
	})
	return u, err
}

// Users implements [store.Users].
func (s *Store) Users(ctx context.Context, orgID string) ([]org.User, error) {
	var all []org.User
	err := s.read(ctx, func(v view) (err error) {
		all, err = usersOf(v, orgID)
		return err
	})
	slices.SortStableFunc(all, func(a, b org.User) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return all, err
}

// usersOf are an organization's; all for an empty id.
func usersOf(v view, orgID string) ([]org.User, error) {
	if orgID == "" {
		return list[org.User](v, prefix(kindUser))
	}
	if !plain(orgID) {
		return nil, nil
	}
	var ids []string
	v.keys(prefix(kindUserOf, orgID), func(id string) bool {
		ids = append(ids, id)
		return true
	})
	all := make([]org.User, 0, len(ids))
	for _, id := range ids {
		u, err := findUser(edit{v, &changes{}}, id)
		if err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, nil
}

// ChangeUser implements [store.Users].
func (s *Store) ChangeUser(
	ctx context.Context, id, what, actor string, now time.Time, change func(*org.User) error,
) (org.User, error) {
	var changed org.User
	err := s.edit(ctx, func(e edit) error {
		before, err := findUser(e, id)
		if err != nil {
			return err
		}
		after := before
		if err := change(&after); err != nil {
			return err
		}
		after.ID, after.OrgID, after.Name = before.ID, before.OrgID, before.Name
		if err := checkUser(after); err != nil {
			return err
		}
		if owns(before) && !owns(after) {
			if err := needOtherOwner(e, before); err != nil {
				return err
			}
		}
		changed = after
		e.put(key(kindUser, id), after)
		return e.audit(after.OrgID, store.Change{At: now, Actor: actor, Action: what, Subject: after.Name})
	})
	return changed, err
}

// DeleteUser implements [store.Users].
func (s *Store) DeleteUser(ctx context.Context, id, actor string, now time.Time) error {
	return s.edit(ctx, func(e edit) error {
		u, err := findUser(e, id)
		if err != nil {
			return err
		}
		if owns(u) {
			if err := needOtherOwner(e, u); err != nil {
				return err
			}
		}
		for _, hash := range sessionsOf(e.view, id) {
			dropSession(e, id, hash)
		}
		e.drop(key(kindUser, id))
		e.drop(nameKey(u.Name))
		e.drop(key(kindUserOf, u.OrgID, id))
		return e.audit(u.OrgID, store.Change{At: now, Actor: actor, Action: "user.delete", Subject: u.Name})
	})
}

// owns says whether a user is an owner who may sign in.
func owns(u org.User) bool { return u.Role == org.Owner && u.DisabledAt == nil }

// needOtherOwner is an error unless the organization of u has another owner who may sign in. It walks over the
// organization's users, which are few and seldom change.
func needOtherOwner(e edit, u org.User) error {
	all, err := usersOf(e.view, u.OrgID)
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.ID != u.ID && owns(other) {
			return nil
		}
	}
	return store.Errorf(store.CodeConflict, "%q is the last owner of the organization", u.Name)
}

// findUser is the user of that id.
func findUser(e edit, id string) (org.User, error) {
	var u org.User
	if !plain(id) {
		return u, noUser()
	}
	found, err := e.get(key(kindUser, id), &u)
	if err == nil && !found {
		return u, noUser()
	}
	return u, err
}

// noUser says that there is none.
func noUser() error { return store.Errorf(store.CodeNotFound, "there is no such user") }

// Note implements [store.Users].
func (s *Store) Note(ctx context.Context, orgID string, c store.Change) error {
	return s.edit(ctx, func(e edit) error {
		if err := e.needOrganization(orgID); err != nil {
			return err
		}
		return e.audit(orgID, c)
	})
}
