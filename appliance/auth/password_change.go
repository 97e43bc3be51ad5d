package auth

import (
	"context"
	"errors"
	"strings"
	"time"

	"munadi/store/account"
)

// SetPassword sets a user's password, ends its lockout and all of its sessions but one (nil: all).
func (a *AccountService) SetPassword(ctx context.Context, u account.User, password, actor string, but []byte) error {
	return a.setPassword(ctx, u, password, passwordWrite{
		what: "user.password", actor: actor, until: a.passwordExpiry(password),
	}, but)
}

func (a *AccountService) setPassword(
	ctx context.Context, u account.User, password string, write passwordWrite, but []byte,
) error {
	if a.IsOfDirectory(u) {
		return ErrDirectoryPassword
	}
	if err := CheckPassword(password, u.Name); err != nil {
		return err
	}
	hash, err := a.hasher.hashPassword(ctx, u.OrgID, password)
	if err != nil {
		return err
	}
	if _, err = a.writePassword(ctx, u.ID, hash, write); err != nil {
		return err
	}
	a.locks.forgiveFailures(a.accountSubject(u.Name))
	_, err = a.people.EndSessions(ctx, u.ID, but)
	return err
}

// passwordWrite says how a password is replaced.
type passwordWrite struct {
	what, actor string     // action and actor in the audit trail
	replaces    string     // the hash that the user must still have; empty: any
	until       *time.Time // expiry of the new password; nil: none
}

// writePassword stores the hash of a user's new password and returns the user. [ErrWrong] if it would replace another
// password than the caller has compared: one that was set in the meantime stays.
func (a *AccountService) writePassword(
	ctx context.Context, userID, hash string, w passwordWrite,
) (account.User, error) {
	return a.people.ChangeUser(ctx, userID, w.what, w.actor, a.now().UTC(), func(changed *account.User) error {
		if w.replaces != "" && changed.Password != w.replaces {
			return ErrWrong
		}
		changed.Password, changed.PasswordUntil = hash, w.until
		return nil
	})
}

// ConfirmPassword compares the password of a signed-in user before something that cannot be undone
// (re-authentication). Its failures are limited like those of a sign-in, but counted by session, so that attackers who
// guess at the account cannot lock its owner out. Its errors: [ErrWrong], a [*LockedError], [ErrBusy].
func (a *AccountService) ConfirmPassword(
	ctx context.Context, u account.User, s account.UserSession, password string,
) error {
	session := lockoutSubject{"session/" + string(s.Hash), freeByAccount}
	if a.IsOfDirectory(u) {
		session.free = freeByDirectory
	}
	if err := a.locks.beginAttempt(a.now(), session); err != nil {
		return err
	}
	if a.IsOfDirectory(u) {
		err := a.confirmByDirectory(ctx, u, password)
		switch {
		case err == nil:
			a.locks.forgiveFailures(session)
		case !errors.Is(err, ErrWrong):
			a.locks.takeBack(session)
		}
		return err
	}
	fits, _, err := a.hasher.verifyPassword(ctx, u.OrgID, u.Password, clipPassword(password))
	if err != nil {
		a.locks.takeBack(session)
		return err
	}
	if !fits {
		return ErrWrong
	}
	a.locks.forgiveFailures(session)
	return nil
}

// ChangePassword is SetPassword by the user, who confirms the old password; the current session continues. [ErrWrong]
// also if the password was reset while the old one was compared.
func (a *AccountService) ChangePassword(
	ctx context.Context, u account.User, s account.UserSession, old, password string,
) error {
	if err := a.ConfirmPassword(ctx, u, s, old); err != nil {
		return err
	}
	return a.setPassword(ctx, u, password, passwordWrite{
		what: "user.password", actor: userActor(u), replaces: u.Password,
	}, s.Hash)
}

// SuggestedFor is how long a temporary password is valid: by then the user must have replaced it
// (OWASP ASVS 5.0, 6.4.1).
const SuggestedFor = 3 * 24 * time.Hour

// The form of a temporary password.
const (
	suggestedSigns  = "abcdefghjkmnpqrstuvwxyz23456789" // without characters that look alike
	suggestedGroup  = 5
	suggestedGroups = 4
)

// SuggestPassword returns a random temporary password for an operator to hand over: four groups of five characters,
// 99 bits. It is recognized by its form, and is valid for [SuggestedFor].
func SuggestPassword() string {
	var groups [suggestedGroups]string
	for i := range groups {
		groups[i] = RandomText(suggestedGroup, suggestedSigns)
	}
	return strings.Join(groups[:], "-")
}

// isSuggestedPassword reports whether a password has the form of those that [SuggestPassword] returns.
func isSuggestedPassword(password string) bool {
	groups := strings.Split(password, "-")
	if len(groups) != suggestedGroups {
		return false
	}
	for _, group := range groups {
		if len(group) != suggestedGroup || strings.Trim(group, suggestedSigns) != "" {
			return false
		}
	}
	return true
}

// passwordExpiry returns when a password that was set for a user expires: a temporary one after [SuggestedFor],
// another one never (nil).
func (a *AccountService) passwordExpiry(password string) *time.Time {
	if !isSuggestedPassword(password) {
		return nil
	}
	return a.temporaryExpiry()
}

// temporaryExpiry returns when a temporary password that is set now expires.
func (a *AccountService) temporaryExpiry() *time.Time {
	end := a.now().UTC().Add(SuggestedFor)
	return &end
}

// isPasswordExpired reports whether a user's password was a temporary one that has expired.
func (a *AccountService) isPasswordExpired(u account.User) bool {
	return u.PasswordUntil != nil && !a.now().Before(*u.PasswordUntil)
}
