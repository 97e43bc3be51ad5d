package record

import (
	"slices"

	"munadi/store"
	"munadi/store/account"
)

// CheckUser validates a user to be written.
func CheckUser(u account.User) error {
	if !IsKeyPart(u.ID) {
		return store.Errorf(store.CodeInvalid, "a user needs an id without '/'")
	}
	if err := account.CheckUserName(u.Name); err != nil {
		return store.Errorf(store.CodeInvalid, "%v", err)
	}
	if !slices.Contains(account.AllRoles(), u.Role) {
		return store.Errorf(store.CodeInvalid, "there is no role %q (known: viewer, operator, owner)", u.Role)
	}
	return nil
}

// ChangeUser returns a user after a change that keeps id, organization and name, validated.
func ChangeUser(before account.User, change func(*account.User) error) (account.User, error) {
	after := before
	if err := change(&after); err != nil {
		return after, err
	}
	after.ID, after.OrgID, after.Name = before.ID, before.OrgID, before.Name
	return after, CheckUser(after)
}

// IsActiveOwner reports whether a user is an owner and not disabled.
func IsActiveOwner(u account.User) bool { return u.Role == account.Owner && u.DisabledAt == nil }

// CheckOtherOwner returns an error unless another of the organization's users is an active owner.
func CheckOtherOwner(u account.User, all []account.User) error {
	for _, other := range all {
		if other.ID != u.ID && IsActiveOwner(other) {
			return nil
		}
	}
	return store.Errorf(store.CodeConflict,
		"%q is the only active owner of the organization: make another user an owner first", u.Name)
}

// NoUser returns the not-found error of a user.
func NoUser() error { return store.Errorf(store.CodeNotFound, "there is no such user") }
