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
		return store.Errorf(store.CodeInvalid, "there is no role %q", u.Role)
	}
	return nil
}
