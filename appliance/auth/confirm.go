package auth

import (
	"context"
	"errors"
	"time"

	"munadi/store/account"
)

// ConfirmedFor is how long an authentication within a session (re-authentication) is good for.
const ConfirmedFor = 5 * time.Minute

// ErrOtherPerson means that another person than the session's user authenticated at the identity provider.
var ErrOtherPerson = errors.New("somebody else signed in at the identity provider")

// IsConfirmed reports whether the session's user authenticated again within the last minutes.
func (a *AccountService) IsConfirmed(s account.UserSession) bool {
	return s.ConfirmedAt != nil && a.now().Before(s.ConfirmedAt.Add(ConfirmedFor))
}

// ConfirmAct lets a user do something that cannot be undone who authenticated again within the last minutes, or who has
// no second factor and whose password is right. Its errors are those of [AccountService.ConfirmPassword].
func (a *AccountService) ConfirmAct(
	ctx context.Context, u account.User, s account.UserSession, password string,
) error {
	if a.IsConfirmed(s) {
		return nil
	}
	if u.SecondFactor != nil {
		return ErrWrong
	}
	return a.ConfirmPassword(ctx, u, s, password)
}

// ConfirmSession records that a user authenticated again with the password, and a code where there is a second factor.
// Its errors are those of [AccountService.ConfirmPassword], and [ErrWrongCode].
func (a *AccountService) ConfirmSession(
	ctx context.Context, u account.User, s account.UserSession, password, code string,
) error {
	if u.SecondFactor == nil {
		if err := a.ConfirmPassword(ctx, u, s, password); err != nil {
			return err
		}
	} else if err := a.confirmCode(ctx, u, s, password, func() error {
		_, err := a.useCode(ctx, u, code)
		return err
	}); err != nil {
		return err
	}
	return a.people.ConfirmWebSession(ctx, s.Hash, a.now().UTC(), "")
}

// ConfirmExternal records that a user authenticated again at the identity provider, and follows the provider like a
// sign-in. Its errors: [ErrOtherPerson], [ErrOtherOrganization], CodeConflict if the organization would lose its last
// owner.
func (a *AccountService) ConfirmExternal(
	ctx context.Context, u account.User, s account.UserSession, who ExternalIdentity,
) error {
	if !u.IsExternal(who.Issuer, who.Subject) {
		return ErrOtherPerson
	}
	if u.OrgID != who.OrgID {
		return ErrOtherOrganization
	}
	if _, err := a.followProvider(ctx, u, who); err != nil {
		return err
	}
	external := ""
	if s.External {
		external = who.Session
	}
	return a.people.ConfirmWebSession(ctx, s.Hash, a.now().UTC(), external)
}
