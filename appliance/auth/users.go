package auth

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"unicode/utf8"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/callrules"
)

// ErrSelf is the error of users who would change their own role or state, or delete themselves.
var ErrSelf = errors.New("users cannot change their own role or state; another owner can")

// ErrStale is the refusal of a change of what somebody else changed since it was shown.
var ErrStale = errors.New("somebody else has changed the user meanwhile")

// UserPrecondition reports whether a user is still as it was shown; nil: any is.
type UserPrecondition func(kept account.User) bool

func (p UserPrecondition) check(kept account.User) error {
	if p != nil && !p(kept) {
		return ErrStale
	}
	return nil
}

// ChangeRole changes the role of u; it takes effect at the user's next request. [ErrSelf] if by is the same user,
// CodeConflict for the last active owner, [ErrStale].
func (a *AccountService) ChangeRole(
	ctx context.Context, by, u account.User, role account.UserRole, seen UserPrecondition,
) error {
	return a.changeUser(ctx, by, u, "user.role", func(changed *account.User) error {
		if err := seen.check(*changed); err != nil {
			return err
		}
		changed.Role = role
		return nil
	})
}

// SetExtension sets where u is rung for a call-back: a number or a SIP address; empty: nowhere. CodeInvalid for
// anything else, [ErrStale]. by is the user or an owner.
func (a *AccountService) SetExtension(
	ctx context.Context, by, u account.User, extension string, seen UserPrecondition,
) error {
	if extension != "" {
		to, err := callrules.ParseTransfer(extension)
		if err != nil {
			return store.Errorf(store.CodeInvalid, "the extension %v", err)
		}
		extension = to.String()
	}
	now := a.now().UTC()
	_, err := a.people.ChangeUser(ctx, u.ID, "user.extension", userActor(by), now, func(kept *account.User) error {
		if err := seen.check(*kept); err != nil {
			return err
		}
		kept.Extension = extension
		return nil
	})
	return err
}

// DisableUser disables u and ends its sessions. The errors are those of [AccountService.ChangeRole].
func (a *AccountService) DisableUser(ctx context.Context, by, u account.User) error {
	now := a.now().UTC()
	err := a.changeUser(ctx, by, u, "user.disable", func(changed *account.User) error {
		changed.DisabledAt = &now
		return nil
	})
	if err == nil {
		_, err = a.people.EndSessions(ctx, u.ID, nil)
	}
	return err
}

// EnableUser enables u again.
func (a *AccountService) EnableUser(ctx context.Context, by, u account.User) error {
	return a.changeUser(ctx, by, u, "user.enable", func(changed *account.User) error {
		changed.DisabledAt = nil
		return nil
	})
}

func (a *AccountService) changeUser(
	ctx context.Context, by, u account.User, what string, change func(*account.User) error,
) error {
	if by.ID == u.ID {
		return ErrSelf
	}
	_, err := a.people.ChangeUser(ctx, u.ID, what, userActor(by), a.now().UTC(), change)
	return err
}

// DeleteUser deletes u and its sessions. The errors are those of [AccountService.ChangeRole].
func (a *AccountService) DeleteUser(ctx context.Context, by, u account.User) error {
	if by.ID == u.ID {
		return ErrSelf
	}
	return a.people.DeleteUser(ctx, u.ID, userActor(by), a.now().UTC())
}

// ListSessions returns the valid sessions of a user, newest first.
func (a *AccountService) ListSessions(ctx context.Context, u account.User) ([]account.UserSession, error) {
	return a.people.ListSessions(ctx, u.ID, a.now().UTC())
}

// SessionID returns the id by which a session is shown and ended; it is not a credential.
func SessionID(s account.UserSession) string { return hex.EncodeToString(s.Hash) }

// EndUserSession ends the user's session with an id. CodeNotFound without one.
func (a *AccountService) EndUserSession(ctx context.Context, u account.User, id string) error {
	all, err := a.ListSessions(ctx, u)
	if err != nil {
		return err
	}
	for _, session := range all {
		if SessionID(session) != id {
			continue
		}
		if err := a.auditEndedSessions(ctx, u); err != nil {
			return err
		}
		return a.people.EndSession(ctx, session.Hash)
	}
	return store.Errorf(store.CodeNotFound, "there is no session of this id")
}

// EndOtherSessions ends all sessions of a user but the current one.
func (a *AccountService) EndOtherSessions(ctx context.Context, u account.User, current account.UserSession) error {
	if err := a.auditEndedSessions(ctx, u); err != nil {
		return err
	}
	_, err := a.people.EndSessions(ctx, u.ID, current.Hash)
	return err
}

// auditEndedSessions adds the audit entry before sessions end, so that none ends without one.
func (a *AccountService) auditEndedSessions(ctx context.Context, u account.User) error {
	return a.people.AddAudit(ctx, u.OrgID, store.AuditEntry{
		At: a.now().UTC(), Actor: userActor(u), Action: "user.sessions_end", Subject: u.Name,
	})
}

// userActor returns a user as the actor of an audit entry.
func userActor(u account.User) string { return "user:" + u.ID }

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
