package auth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"munadi/store"
	"munadi/store/account"
)

var (
	// ErrPasskey means that an authenticator's response is not valid here: of another site, challenge, user or key, or
	// without verification of the user.
	ErrPasskey = errors.New("the passkey was not accepted")
	// ErrPasskeyCopied means that a passkey's signature counter went back: there may be a copy of it.
	ErrPasskeyCopied = errors.New("the passkey's counter went back; there may be a copy of it")
	// ErrPasskeysFull means that a user has [account.MaxPasskeys].
	ErrPasskeysFull = errors.New("too many passkeys; remove one first")
	// ErrFactorNeeded means that a user's last second factor stays, since the organization requires one.
	ErrFactorNeeded = errors.New("the organization requires a second factor; add another one first")
	// ErrNoPassword means that a user without a password cannot have passkeys: the company's identity provider decides
	// who signs in.
	ErrNoPassword = store.Errorf(store.CodeConflict, "this user signs in with the identity provider only")
)

// PasskeyFor is how long an authenticator may take.
const PasskeyFor = 5 * time.Minute

// PasskeySite is the console as passkeys know it (relying party, WebAuthn).
type PasskeySite struct {
	Host   string // id of the relying party: a domain name
	Origin string // scheme://host[:port] of its pages
}

// Purposes of a challenge: a response to one is none to another.
const (
	passkeyAdd     = "add"
	passkeySignIn  = "sign in"
	passkeyStep    = "step"
	passkeyConfirm = "confirm"
)

// passkeyOwner is a user as the library knows one.
type passkeyOwner struct{ account.User }

func (o passkeyOwner) WebAuthnID() []byte          { return []byte(o.ID) }
func (o passkeyOwner) WebAuthnName() string        { return o.Name }
func (o passkeyOwner) WebAuthnDisplayName() string { return o.Name }

func (o passkeyOwner) WebAuthnCredentials() (all []webauthn.Credential) {
	for _, p := range o.Passkeys {
		one := webauthn.Credential{
			ID: p.ID, PublicKey: p.PublicKey, Authenticator: webauthn.Authenticator{SignCount: p.SignCount},
			Flags: webauthn.CredentialFlags{
				UserPresent: true, UserVerified: true, BackupEligible: p.BackupEligible, BackupState: p.BackedUp,
			},
		}
		for _, transport := range p.Transports {
			one.Transport = append(one.Transport, protocol.AuthenticatorTransport(transport))
		}
		all = append(all, one)
	}
	return all
}

// party returns the relying party of a site. Passkeys are discoverable and always verify the user (PIN, finger, face);
// attestation is not asked for.
func (site PasskeySite) party() (*webauthn.WebAuthn, error) {
	return webauthn.New(&webauthn.Config{
		RPID: site.Host, RPDisplayName: codeIssuer, RPOrigins: []string{site.Origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
	})
}

// passkeyChallenge is a challenge by its purpose and whom it is for: a session, a sign-in under way, or a browser.
type passkeyChallenge struct{ purpose, holder string }

// keepChallenge stores a challenge with what its response must fit, for one response. counted limits how many are made.
func (a *AccountService) keepChallenge(
	ctx context.Context, c passkeyChallenge, data *webauthn.SessionData, counted lockoutSubject,
) error {
	if err := a.locks.beginAttempt(a.now(), counted); err != nil {
		return err
	}
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	now := a.now().UTC()
	return a.people.AddOneTime(ctx, account.OneTimeRecord{
		Hash: a.challengeHash(c, data.Challenge), ExpiresAt: now.Add(PasskeyFor), Data: text,
	}, now)
}

// takeChallenge returns what the response to a challenge must fit; [ErrPasskey] if it was answered before, has expired,
// or is somebody else's.
func (a *AccountService) takeChallenge(
	ctx context.Context, c passkeyChallenge, challenge string, counted lockoutSubject,
) (data webauthn.SessionData, err error) {
	kept, err := a.people.TakeOneTime(ctx, a.challengeHash(c, challenge), a.now().UTC())
	if store.CodeOf(err) == store.CodeNotFound {
		return data, ErrPasskey
	}
	if err != nil {
		return data, err
	}
	a.locks.takeBack(counted) // the response decides
	err = json.Unmarshal(kept.Data, &data)
	data.Expires = time.Time{} // the record's expiry counts, by the service's clock
	return data, err
}

func (a *AccountService) challengeHash(c passkeyChallenge, challenge string) []byte {
	return a.hashOf(strings.Join([]string{"passkey", c.purpose, c.holder, challenge}, "\x00"))
}

// perSession counts the challenges of a session, perAddress those of a client before the sign-in.
func perSession(s account.UserSession) lockoutSubject {
	return lockoutSubject{"passkey/session/" + string(s.Hash), freeByAddress}
}

func perAddress(from SignInOrigin) lockoutSubject {
	return lockoutSubject{"passkey/address/" + addressNetwork(from.Address), freeByAddress}
}

// OfferPasskey returns the options for a new passkey (PublicKeyCredentialCreationOptions as JSON), for the session's
// browser. Its errors: [ErrNoPassword], [ErrPasskeysFull], a [*LockedError].
func (a *AccountService) OfferPasskey(
	ctx context.Context, site PasskeySite, u account.User, s account.UserSession,
) ([]byte, error) {
	if err := a.checkPasskeyRoom(u); err != nil {
		return nil, err
	}
	party, err := site.party()
	if err != nil {
		return nil, err
	}
	owner := passkeyOwner{u}
	options, data, err := party.BeginRegistration(owner,
		webauthn.WithExclusions(webauthn.Credentials(owner.WebAuthnCredentials()).CredentialDescriptors()))
	if err != nil {
		return nil, err
	}
	c := passkeyChallenge{passkeyAdd, string(s.Hash)}
	if err := a.keepChallenge(ctx, c, data, perSession(s)); err != nil {
		return nil, err
	}
	return json.Marshal(options.Response)
}

func (a *AccountService) checkPasskeyRoom(u account.User) error {
	switch {
	case !a.HasPassword(u):
		return ErrNoPassword
	case len(u.Passkeys) >= account.MaxPasskeys:
		return ErrPasskeysFull
	}
	return nil
}

// AddPasskey adds the passkey of an authenticator's response (RegistrationResponseJSON) to a user. For the first factor
// it returns recovery codes, which cannot be shown again. The user's other sessions end. Its errors: those of
// [AccountService.OfferPasskey], [ErrPasskey], CodeInvalid for a name that is none.
func (a *AccountService) AddPasskey(
	ctx context.Context, site PasskeySite, u account.User, s account.UserSession, name string, response []byte,
) (codes []string, err error) {
	if name, err = checkPasskeyName(name); err != nil {
		return nil, err
	}
	made, err := a.registerPasskey(ctx, site, u, s, response)
	if err != nil {
		return nil, err
	}
	made.Name = name
	_, err = a.people.ChangeUser(ctx, u.ID, "user.passkey_add", userActor(u), made.CreatedAt, func(
		kept *account.User,
	) error {
		if err := a.checkPasskeyRoom(*kept); err != nil {
			return err
		}
		if kept.Password != u.Password { // changed meanwhile: the session has ended
			return ErrPasskey
		}
		kept.Passkeys = append(slices.Clone(kept.Passkeys), made)
		if kept.SecondFactor == nil {
			fresh := account.SecondFactor{Since: made.CreatedAt}
			codes, fresh.Recovery = a.newRecoveryCodes(u.ID)
			kept.SecondFactor = &fresh
		}
		return nil
	})
	if err == nil {
		_, err = a.people.EndSessions(ctx, u.ID, s.Hash)
	}
	return codes, err
}

// registerPasskey verifies an authenticator's response to the options of a new passkey.
func (a *AccountService) registerPasskey(
	ctx context.Context, site PasskeySite, u account.User, s account.UserSession, response []byte,
) (made account.Passkey, err error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return made, refusePasskey(err)
	}
	c := passkeyChallenge{passkeyAdd, string(s.Hash)}
	data, err := a.takeChallenge(ctx, c, parsed.Response.CollectedClientData.Challenge, perSession(s))
	if err != nil {
		return made, err
	}
	party, err := site.party()
	if err != nil {
		return made, err
	}
	one, err := party.CreateCredential(passkeyOwner{u}, data, parsed)
	if err != nil {
		return made, refusePasskey(err)
	}
	if err := a.needUnknownPasskey(ctx, one.ID); err != nil {
		return made, err
	}
	made = account.Passkey{
		ID: one.ID, PublicKey: one.PublicKey, SignCount: one.Authenticator.SignCount, CreatedAt: a.now().UTC(),
		BackupEligible: one.Flags.BackupEligible, BackedUp: one.Flags.BackupState,
	}
	for _, transport := range one.Transport {
		made.Transports = append(made.Transports, string(transport))
	}
	return made, nil
}

// needUnknownPasskey refuses the id of a passkey that any user has (WebAuthn, 7.1, step 26).
func (a *AccountService) needUnknownPasskey(ctx context.Context, id []byte) error {
	all, err := a.people.ListUsers(ctx, "")
	for _, u := range all {
		if findPasskey(u, id) >= 0 {
			return ErrPasskey
		}
	}
	return err
}

func findPasskey(u account.User, id []byte) int {
	return slices.IndexFunc(u.Passkeys, func(p account.Passkey) bool { return bytes.Equal(p.ID, id) })
}

// checkPasskeyName returns a name without spaces around it: 1 to [account.MaxPasskeyName] characters.
func checkPasskeyName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > account.MaxPasskeyName || !utf8.ValidString(name) {
		return "", store.Errorf(store.CodeInvalid, "a passkey has a name of 1 to %d characters", account.MaxPasskeyName)
	}
	return name, nil
}

// refusePasskey returns [ErrPasskey] with what the library says of a response, for the log.
func refusePasskey(err error) error {
	var fault *protocol.Error
	if errors.As(err, &fault) && fault.DevInfo != "" {
		return errors.Join(ErrPasskey, errors.New(fault.DevInfo))
	}
	return errors.Join(ErrPasskey, err)
}

// RenamePasskey gives a passkey of a user another name. CodeNotFound without it, CodeInvalid for a name that is none.
func (a *AccountService) RenamePasskey(ctx context.Context, u account.User, id []byte, name string) error {
	name, err := checkPasskeyName(name)
	if err != nil {
		return err
	}
	return a.changePasskey(ctx, u, "user.passkey_rename", id, func(_ *account.User, one *account.Passkey) error {
		one.Name = name
		return nil
	})
}

// RemovePasskey removes a passkey of a user, whose other sessions end; with the last factor the recovery codes go.
// needed says that the organization requires a second factor. Its errors: CodeNotFound without it, [ErrFactorNeeded].
func (a *AccountService) RemovePasskey(
	ctx context.Context, u account.User, s account.UserSession, id []byte, needed bool,
) error {
	err := a.changePasskey(ctx, u, "user.passkey_remove", id, func(kept *account.User, _ *account.Passkey) error {
		i := findPasskey(*kept, id)
		kept.Passkeys = slices.Delete(kept.Passkeys, i, i+1)
		if len(kept.Passkeys) > 0 || kept.SecondFactor.HasApp() {
			return nil
		}
		if kept.SecondFactor = nil; needed {
			return ErrFactorNeeded
		}
		return nil
	})
	if err == nil {
		_, err = a.people.EndSessions(ctx, u.ID, s.Hash)
	}
	return err
}

// changePasskey changes a passkey of a user in one transaction. CodeNotFound without it.
func (a *AccountService) changePasskey(
	ctx context.Context, u account.User, what string, id []byte, change func(*account.User, *account.Passkey) error,
) error {
	_, err := a.people.ChangeUser(ctx, u.ID, what, userActor(u), a.now().UTC(), func(kept *account.User) error {
		i := findPasskey(*kept, id)
		if i < 0 {
			return store.Errorf(store.CodeNotFound, "there is no such passkey")
		}
		kept.Passkeys = slices.Clone(kept.Passkeys)
		return change(kept, &kept.Passkeys[i])
	})
	return err
}

// RenewConfirmedCodes replaces the recovery codes of a user who has authenticated again; [ErrNoSecondFactor].
func (a *AccountService) RenewConfirmedCodes(ctx context.Context, u account.User) (codes []string, err error) {
	_, err = a.people.ChangeUser(ctx, u.ID, "user.recovery_codes", userActor(u), a.now().UTC(), func(
		kept *account.User,
	) error {
		if kept.SecondFactor == nil {
			return ErrNoSecondFactor
		}
		after := *kept.SecondFactor
		codes, after.Recovery = a.newRecoveryCodes(u.ID)
		kept.SecondFactor = &after
		return nil
	})
	return codes, err
}
