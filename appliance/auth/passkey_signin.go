package auth

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"munadi/store"
	"munadi/store/account"
)

// OfferPasskeySignIn returns the options for a sign-in with a passkey alone (PublicKeyCredentialRequestOptions as
// JSON): the authenticator knows whose it is. browser is a token of the browser's own, see [NewBrowserToken]. A
// [*LockedError] after too many that were not answered.
func (a *AccountService) OfferPasskeySignIn(
	ctx context.Context, site PasskeySite, browser string, from SignInOrigin,
) ([]byte, error) {
	party, err := site.party()
	if err != nil {
		return nil, err
	}
	options, data, err := party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, err
	}
	if err := a.keepChallenge(ctx, passkeyChallenge{passkeySignIn, browser}, data, perAddress(from)); err != nil {
		return nil, err
	}
	return json.Marshal(options.Response)
}

// NewBrowserToken returns a random token for a cookie, to which a challenge is bound before there is a session.
func NewBrowserToken() string { return newToken() }

// SignInWithPasskey starts a session for the user of an authenticator's response (AuthenticationResponseJSON), which is
// possession and, since it verifies the user, knowledge or biometrics. Its errors: [ErrPasskey], [ErrPasskeyCopied],
// [ErrOutlived], [ErrPasswordsOff], a [*LockedError].
func (a *AccountService) SignInWithPasskey(
	ctx context.Context, site PasskeySite, browser string, response []byte, from SignInOrigin,
) (string, account.User, error) {
	counted := perAddress(from)
	if err := a.locks.beginAttempt(a.now(), counted); err != nil {
		return "", account.User{}, err
	}
	u, err := a.answerSignIn(ctx, site, browser, response, counted)
	switch {
	case err != nil:
	case a.isPasswordExpired(u):
		err = ErrOutlived
	case a.ownersOnly && u.Role != account.Owner && !a.IsOfDirectory(u):
		err = ErrPasswordsOff
	default:
		u, err = a.checkDirectory(ctx, u)
	}
	if err != nil {
		a.recordRefusal(ctx, u, from)
		return "", account.User{}, err
	}
	a.locks.takeBack(counted)
	token, err := a.beginCheckedSession(ctx, u, from)
	if err != nil {
		return "", account.User{}, err
	}
	return token, u, nil
}

// answerSignIn verifies a response without knowing its user, whom it returns, also with an error once known.
func (a *AccountService) answerSignIn(
	ctx context.Context, site PasskeySite, browser string, response []byte, counted lockoutSubject,
) (u account.User, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return u, refusePasskey(err)
	}
	c := passkeyChallenge{passkeySignIn, browser}
	data, err := a.takeChallenge(ctx, c, parsed.Response.CollectedClientData.Challenge, counted)
	if err != nil {
		return u, err
	}
	party, err := site.party()
	if err != nil {
		return u, err
	}
	var broken error // of the store
	find := func(_, handle []byte) (webauthn.User, error) {
		u, broken = a.people.FindUser(ctx, string(handle))
		return passkeyOwner{u}, broken
	}
	_, _, err = party.ValidatePasskeyLogin(find, data, parsed)
	if code := store.CodeOf(broken); broken != nil && code != store.CodeNotFound && code != store.CodeInvalid {
		return u, broken
	}
	if err != nil {
		return u, refusePasskey(err)
	}
	return a.usePasskey(ctx, u, parsed)
}

// usePasskey records the use of a passkey whose signature was verified. [ErrPasskeyCopied] if its counter is not beyond
// the stored one: compared in the transaction, so that of two responses with one counter one is refused.
func (a *AccountService) usePasskey(
	ctx context.Context, u account.User, parsed *protocol.ParsedCredentialAssertionData,
) (account.User, error) {
	seen, now := parsed.Response.AuthenticatorData, a.now().UTC()
	err := a.changePasskey(ctx, u, "user.passkey", parsed.RawID, func(kept *account.User, one *account.Passkey) error {
		if kept.Password != u.Password || kept.DisabledAt != nil {
			return ErrPasskey
		}
		if (seen.Counter != 0 || one.SignCount != 0) && seen.Counter <= one.SignCount {
			return ErrPasskeyCopied
		}
		one.SignCount, one.LastUsedAt, one.BackedUp = seen.Counter, &now, seen.Flags.HasBackupState()
		return nil
	})
	switch {
	case errors.Is(err, ErrPasskeyCopied):
		entry := store.AuditEntry{At: now, Actor: userActor(u), Action: "user.passkey_copied", Subject: u.Name}
		return u, errors.Join(err, a.people.AddAudit(ctx, u.OrgID, entry))
	case store.CodeOf(err) == store.CodeNotFound: // removed meanwhile
		return u, ErrPasskey
	}
	return u, err
}

// OfferPasskeyStep returns the options for the passkeys of a user whose password began a sign-in. Its errors:
// [ErrStepExpired], [ErrPasskey] for a user without any, a [*LockedError].
func (a *AccountService) OfferPasskeyStep(
	ctx context.Context, site PasskeySite, step string, from SignInOrigin,
) ([]byte, error) {
	u, err := a.CheckStep(ctx, step)
	if err != nil {
		return nil, err
	}
	return a.offerOwnPasskeys(ctx, site, u, passkeyChallenge{passkeyStep, step}, perAddress(from))
}

// SignInWithPasskeyStep ends a sign-in whose password was right, with a passkey in place of a code; see
// [AccountService.SignInWithCode].
func (a *AccountService) SignInWithPasskeyStep(
	ctx context.Context, site PasskeySite, step string, response []byte, from SignInOrigin,
) (string, account.User, error) {
	return a.endSignIn(ctx, step, from, func(u account.User) (account.User, error) {
		return u, a.answerOwnPasskey(ctx, site, u, passkeyChallenge{passkeyStep, step}, response, perAddress(from))
	})
}

// OfferPasskeyConfirmation returns the options for the passkeys of a signed-in user, who authenticates again.
func (a *AccountService) OfferPasskeyConfirmation(
	ctx context.Context, site PasskeySite, u account.User, s account.UserSession,
) ([]byte, error) {
	return a.offerOwnPasskeys(ctx, site, u, passkeyChallenge{passkeyConfirm, string(s.Hash)}, perSession(s))
}

// ConfirmWithPasskey records that a user authenticated again with a passkey. Its errors: [ErrPasskey],
// [ErrPasskeyCopied], a [*LockedError].
func (a *AccountService) ConfirmWithPasskey(
	ctx context.Context, site PasskeySite, u account.User, s account.UserSession, response []byte,
) error {
	counted := []lockoutSubject{{"code/session/" + string(s.Hash), freeByAccount}}
	err := a.countCode(counted, func() error {
		c := passkeyChallenge{passkeyConfirm, string(s.Hash)}
		return a.answerOwnPasskey(ctx, site, u, c, response, perSession(s))
	})
	if err != nil {
		return err
	}
	return a.people.ConfirmWebSession(ctx, s.Hash, a.now().UTC(), "")
}

// offerOwnPasskeys returns the options for the passkeys of a known user.
func (a *AccountService) offerOwnPasskeys(
	ctx context.Context, site PasskeySite, u account.User, c passkeyChallenge, counted lockoutSubject,
) ([]byte, error) {
	if len(u.Passkeys) == 0 {
		return nil, ErrPasskey
	}
	party, err := site.party()
	if err != nil {
		return nil, err
	}
	options, data, err := party.BeginLogin(passkeyOwner{u}, webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, err
	}
	if err := a.keepChallenge(ctx, c, data, counted); err != nil {
		return nil, err
	}
	return json.Marshal(options.Response)
}

// answerOwnPasskey verifies the response of a known user's authenticator.
func (a *AccountService) answerOwnPasskey(
	ctx context.Context, site PasskeySite, u account.User, c passkeyChallenge, response []byte, counted lockoutSubject,
) error {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return refusePasskey(err)
	}
	data, err := a.takeChallenge(ctx, c, parsed.Response.CollectedClientData.Challenge, counted)
	if err != nil {
		return err
	}
	party, err := site.party()
	if err != nil {
		return err
	}
	if _, err := party.ValidateLogin(passkeyOwner{u}, data, parsed); err != nil {
		return refusePasskey(err)
	}
	_, err = a.usePasskey(ctx, u, parsed)
	return err
}
