package auth

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/account"
)

// ErrViewsFull is the error of a user with [account.MaxViews] saved views.
var ErrViewsFull = errors.New("too many saved views; delete one first")

// SaveView saves a filter of the list of calls for a user; a view of the same name is replaced. CodeInvalid for an
// invalid name, [ErrViewsFull] at the limit.
func (a *AccountService) SaveView(ctx context.Context, u account.User, view account.SavedView) error {
	if n := utf8.RuneCountInString(view.Name); n < 1 || n > account.MaxViewName {
		return store.Errorf(store.CodeInvalid, "a view has a name of 1 to %d characters", account.MaxViewName)
	}
	return a.changeViews(ctx, u, view.Name, func(others []account.SavedView) ([]account.SavedView, error) {
		if len(others) >= account.MaxViews {
			return nil, ErrViewsFull
		}
		return append(others, view), nil
	})
}

// DeleteView deletes a saved view of a user, if it exists.
func (a *AccountService) DeleteView(ctx context.Context, u account.User, name string) error {
	return a.changeViews(ctx, u, name, func(others []account.SavedView) ([]account.SavedView, error) {
		return others, nil
	})
}

// changeViews replaces the views of a user by a function of those with another name.
func (a *AccountService) changeViews(
	ctx context.Context, u account.User, name string, change func(others []account.SavedView) ([]account.SavedView, error),
) error {
	isNamed := func(one account.SavedView) bool { return one.Name == name }
	now := a.now().UTC()
	_, err := a.people.ChangeUser(ctx, u.ID, "user.views", userActor(u), now, func(kept *account.User) (err error) {
		kept.Views, err = change(slices.DeleteFunc(slices.Clone(kept.Views), isNamed))
		return err
	})
	return err
}
