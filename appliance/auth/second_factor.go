package auth

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"

	"munadi/appliance/seal"
	"munadi/store"
	"munadi/store/account"
)

var (
	// ErrWrongCode means that a code is none of the user's, has expired, or was used before.
	ErrWrongCode = errors.New("the code is wrong, has expired, or was used before")
	// ErrOfferExpired means that the secret of a form is not valid any more, or is another user's.
	ErrOfferExpired = errors.New("this set-up of a second factor has expired; begin again")
	// ErrStepExpired means that too much time has passed since the password, or that password or second factor have
	// changed since.
	ErrStepExpired = errors.New("the sign-in took too long; begin again")
	// ErrNoSecondFactor means that a user has no second factor to change.
	ErrNoSecondFactor = store.Errorf(store.CodeConflict, "this user has no second factor")
	// ErrHasSecondFactor means that a user has a second factor already, and is not given another.
	ErrHasSecondFactor = store.Errorf(store.CodeConflict, "this user has a second factor already")
)

// CodeFor is how long after the password the code of a sign-in may be typed.
const CodeFor = 5 * time.Minute

// CodeNeededError says that the password was right, and that the user has a second factor:
// [AccountService.SignInWithCode] ends the sign-in with Step, a token for a cookie that gives no access.
type CodeNeededError struct{ Step string }

func (*CodeNeededError) Error() string { return "a code of the second factor is needed" }

// newStepToken returns the proof that the password of a user was right: its expiry in Unix seconds, base 36 "." the
// user's id "." nonce "." HMAC over these, the password's hash and the second factor, so that a change of either
// invalidates it.
func (a *AccountService) newStepToken(u account.User) string {
	body := strconv.FormatInt(a.now().Add(CodeFor).Unix(), 36) + "." +
		base64.RawURLEncoding.EncodeToString([]byte(u.ID)) + "." + newToken()
	return body + "." + a.stepMAC(body, u)
}

func (a *AccountService) stepMAC(body string, u account.User) string {
	return computeMAC(a.steps, strings.Join([]string{body, u.Password, factorSince(u)}, "\x00"))
}

// factorSince identifies a user's second factors; empty without one.
func factorSince(u account.User) string {
	if u.SecondFactor == nil {
		return ""
	}
	since := u.SecondFactor.Since.UTC().Format(time.RFC3339Nano)
	for _, p := range u.Passkeys {
		since += " " + base64.RawURLEncoding.EncodeToString(p.ID)
	}
	return since
}

// CheckStep returns the user whose password began a sign-in; [ErrStepExpired].
func (a *AccountService) CheckStep(ctx context.Context, step string) (account.User, error) {
	parts := strings.Split(step, ".")
	if len(parts) != 4 {
		return account.User{}, ErrStepExpired
	}
	id, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return account.User{}, ErrStepExpired
	}
	u, err := a.people.FindUser(ctx, string(id))
	if store.CodeOf(err) == store.CodeNotFound || store.CodeOf(err) == store.CodeInvalid {
		return account.User{}, ErrStepExpired
	}
	if err != nil {
		return u, err
	}
	until, err := strconv.ParseInt(parts[0], 36, 64)
	mac := a.stepMAC(strings.Join(parts[:3], "."), u)
	isOurs := subtle.ConstantTimeCompare([]byte(mac), []byte(parts[3])) == 1
	if err != nil || !isOurs || a.now().Unix() >= until || u.SecondFactor == nil || u.DisabledAt != nil {
		return account.User{}, ErrStepExpired
	}
	return u, nil
}

// SignInWithCode ends a sign-in whose password was right, with a code of the app or a recovery code. Its errors:
// [ErrStepExpired], [ErrWrongCode], a [*LockedError] after too many wrong codes, which are counted like wrong
// passwords, but apart from them: a right password does not forgive them.
func (a *AccountService) SignInWithCode(
	ctx context.Context, step, code string, from SignInOrigin,
) (string, account.User, error) {
	return a.endSignIn(ctx, step, from, func(u account.User) (account.User, error) { return a.useCode(ctx, u, code) })
}

// endSignIn ends a sign-in whose password was right: answer checks the second factor and returns the user.
func (a *AccountService) endSignIn(
	ctx context.Context, step string, from SignInOrigin, answer func(account.User) (account.User, error),
) (string, account.User, error) {
	u, err := a.CheckStep(ctx, step)
	if err != nil {
		return "", account.User{}, err
	}
	err = a.countCode(a.countedCodes(u.Name, from), func() (err error) {
		u, err = answer(u)
		return err
	})
	if errors.Is(err, ErrWrongCode) || errors.Is(err, ErrPasskey) || errors.Is(err, ErrPasskeyCopied) {
		a.recordRefusal(ctx, u, from)
	}
	if err != nil {
		return "", account.User{}, err
	}
	token, err := a.beginCheckedSession(ctx, u, from)
	if err != nil {
		return "", account.User{}, err
	}
	return token, u, nil
}

// countedCodes returns the counters of wrong codes.
func (a *AccountService) countedCodes(name string, from SignInOrigin) []lockoutSubject {
	counted := a.countedUnder(name, from)
	for i := range counted {
		counted[i].key = "code/" + counted[i].key
	}
	return counted
}

// useCode accepts a code of a user, in one transaction, so that of two at once one is refused.
func (a *AccountService) useCode(ctx context.Context, u account.User, code string) (account.User, error) {
	what := "user.code"
	if !isAppCode(compactCode(code)) {
		what = "user.recovery_code"
	}
	after, err := a.changeFactor(ctx, u, what, userActor(u), func(
		kept account.User,
	) (*account.SecondFactor, error) {
		return a.acceptCode(kept, code)
	})
	if err != nil {
		return u, err
	}
	return after, nil
}

// changeFactor changes a user's second factor. [ErrWrongCode] if it is gone, or if the user's password is not that of
// u.
func (a *AccountService) changeFactor(
	ctx context.Context, u account.User, what, actor string,
	change func(kept account.User) (*account.SecondFactor, error),
) (account.User, error) {
	return a.people.ChangeUser(ctx, u.ID, what, actor, a.now().UTC(), func(kept *account.User) (err error) {
		if kept.SecondFactor == nil || kept.Password != u.Password {
			return ErrWrongCode
		}
		kept.SecondFactor, err = change(*kept)
		return err
	})
}

// countCode runs check as an attempt that counts as a failure until it succeeds; a check that could not be made does
// not count.
func (a *AccountService) countCode(counted []lockoutSubject, check func() error) error {
	if err := a.locks.beginAttempt(a.now(), counted...); err != nil {
		return err
	}
	err := check()
	isWrong := errors.Is(err, ErrWrongCode) || errors.Is(err, ErrPasskey) || errors.Is(err, ErrPasskeyCopied)
	switch {
	case err == nil:
		a.locks.forgiveFailures(counted[0], counted[1:]...)
	case !isWrong:
		a.locks.takeBack(counted...)
	}
	return err
}

// confirmCode is [AccountService.ConfirmPassword] followed by a code, which check accepts.
func (a *AccountService) confirmCode(
	ctx context.Context, u account.User, s account.UserSession, password string, check func() error,
) error {
	if err := a.ConfirmPassword(ctx, u, s, password); err != nil {
		return err
	}
	return a.countCode([]lockoutSubject{{"code/session/" + string(s.Hash), freeByAccount}}, check)
}

// ConfirmSecondFactor sets up the second factor of an offer that the user's app has a code for, and returns the
// recovery codes, which cannot be shown again. The user's other sessions end. Its errors: [ErrOfferExpired],
// [ErrHasSecondFactor], [ErrWrongCode], and those of [AccountService.ConfirmPassword].
func (a *AccountService) ConfirmSecondFactor(
	ctx context.Context, u account.User, s account.UserSession, sealed, password, code string,
) (codes []string, err error) {
	secret, err := a.openOffer(u, sealed)
	if err != nil {
		return nil, err
	}
	err = a.confirmCode(ctx, u, s, password, func() error {
		step := matchCode(secret, compactCode(code), a.now(), 0)
		if step == 0 {
			return ErrWrongCode
		}
		kept, err := seal.SealText(a.factors, string(secret), u.ID)
		if err != nil {
			return err
		}
		made := account.SecondFactor{Secret: kept, Since: a.now().UTC(), LastStep: step}
		codes, made.Recovery = a.newRecoveryCodes(u.ID)
		return a.addFactor(ctx, u, made)
	})
	if err != nil {
		return nil, err
	}
	_, err = a.people.EndSessions(ctx, u.ID, s.Hash)
	return codes, err
}

// addFactor stores a user's authenticator app.
func (a *AccountService) addFactor(ctx context.Context, u account.User, made account.SecondFactor) error {
	_, err := a.people.ChangeUser(ctx, u.ID, "user.second_factor", userActor(u), made.Since, func(
		kept *account.User,
	) error {
		if kept.SecondFactor.HasApp() {
			return ErrHasSecondFactor
		}
		if kept.Password != u.Password {
			return ErrWrong
		}
		kept.SecondFactor = &made
		return nil
	})
	return err
}

// RenewRecoveryCodes replaces the recovery codes of a user by new ones, which it returns. Its errors: [ErrWrongCode],
// also for a user without a second factor, and those of [AccountService.ConfirmPassword].
func (a *AccountService) RenewRecoveryCodes(
	ctx context.Context, u account.User, s account.UserSession, password, code string,
) (codes []string, err error) {
	err = a.confirmCode(ctx, u, s, password, func() error {
		_, err := a.changeFactor(ctx, u, "user.recovery_codes", userActor(u), func(
			kept account.User,
		) (*account.SecondFactor, error) {
			after, err := a.acceptCode(kept, code)
			if err == nil {
				codes, after.Recovery = a.newRecoveryCodes(u.ID)
			}
			return after, err
		})
		return err
	})
	return codes, err
}

// RemoveOwnFactor removes the authenticator app of a user, who confirms with password and code; the other sessions end.
// Recovery codes stay beside passkeys. needed says that the organization requires a second factor. Its errors:
// [ErrFactorNeeded], and those of [AccountService.RenewRecoveryCodes].
func (a *AccountService) RemoveOwnFactor(
	ctx context.Context, u account.User, s account.UserSession, password, code string, needed bool,
) error {
	err := a.confirmCode(ctx, u, s, password, func() error {
		_, err := a.changeFactor(ctx, u, "user.second_factor_remove", userActor(u), func(
			kept account.User,
		) (*account.SecondFactor, error) {
			after, err := a.acceptCode(kept, code)
			if err != nil {
				return nil, err
			}
			if len(kept.Passkeys) > 0 {
				after.Secret, after.LastStep, after.Since = nil, 0, a.now().UTC()
				return after, nil
			}
			if needed {
				return nil, ErrFactorNeeded
			}
			return nil, nil
		})
		return err
	})
	if err == nil {
		_, err = a.people.EndSessions(ctx, u.ID, s.Hash)
	}
	return err
}

// RemoveSecondFactor removes all second factors of a user who lost them, and ends the user's sessions and lockout.
// [ErrNoSecondFactor].
func (a *AccountService) RemoveSecondFactor(ctx context.Context, u account.User, actor string) error {
	_, err := a.people.ChangeUser(ctx, u.ID, "user.second_factor_remove", actor, a.now().UTC(), func(
		kept *account.User,
	) error {
		if kept.SecondFactor == nil {
			return ErrNoSecondFactor
		}
		kept.SecondFactor, kept.Passkeys = nil, nil
		return nil
	})
	if err != nil {
		return err
	}
	a.locks.forgiveFailures(lockoutSubject{key: "code/" + a.accountSubject(u.Name).key})
	_, err = a.people.EndSessions(ctx, u.ID, nil)
	return err
}

// RemoveFactorOf is RemoveSecondFactor by an administrator; [ErrSelf] for the administrator's own.
func (a *AccountService) RemoveFactorOf(ctx context.Context, by, u account.User) error {
	if by.ID == u.ID {
		return ErrSelf
	}
	return a.RemoveSecondFactor(ctx, u, userActor(by))
}
