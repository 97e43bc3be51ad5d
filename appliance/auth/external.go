package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munadi/store"
	"munadi/store/account"
)

// providerActor is the actor of changes that follow from the company's identity provider.
const providerActor = "identity provider"

var (
	// ErrNoAccount means that a person whom the identity provider knows has no account here, and gets none.
	ErrNoAccount = errors.New("this person has no account here")
	// ErrNameTaken means that the person's name belongs to another user.
	ErrNameTaken = errors.New("another user has this person's name")
	// ErrOtherOrganization means that the account belongs to another organization than the person's role.
	ErrOtherOrganization = errors.New("this person's account belongs to another organization; delete it there first")
	// ErrPasswordsOff means that the password was right, but that only owners may sign in with one.
	ErrPasswordsOff = errors.New("sign in with the identity provider of your company")
)

// ExternalIdentity is a person as the identity provider describes them at a sign-in.
type ExternalIdentity struct {
	Issuer, Subject string
	Session         string // the provider's id of its session (claim sid); empty: none
	Name            string // sign-in name for a new account; empty: none that is valid
	Role            account.UserRole
	OrgID           string
	Create          bool // a person without an account gets one
}

// ExternalLogout says whose sessions end: those of a person, or those of one session of the provider.
type ExternalLogout struct {
	Issuer, Subject, Session string
	TokenID                  string    // id of the logout token (claim jti), accepted once
	Until                    time.Time // when the token is refused anyway
}

// RestrictPasswords refuses the passwords of all but owners; before the first sign-in.
func (a *AccountService) RestrictPasswords() { a.ownersOnly = true }

// SignInExternal starts a session for a person whom the identity provider has signed in, and sets the role of the
// account, which is created if need be. Its errors: [ErrNoAccount], also for a disabled user, [ErrNameTaken],
// [ErrOtherOrganization], CodeConflict if the organization would lose its last owner.
func (a *AccountService) SignInExternal(
	ctx context.Context, who ExternalIdentity, from SignInOrigin,
) (string, account.User, error) {
	u, err := a.admitExternal(ctx, who)
	if err != nil {
		return "", account.User{}, err
	}
	from.External, from.ExternalSession = true, who.Session
	token, err := a.beginCheckedSession(ctx, u, from)
	if err != nil {
		return "", account.User{}, err
	}
	return token, u, nil
}

// admitExternal returns the account of a person, which is created if need be, with today's role. Its errors are those
// of [AccountService.SignInExternal].
func (a *AccountService) admitExternal(ctx context.Context, who ExternalIdentity) (account.User, error) {
	u, err := a.findExternal(ctx, who)
	if err == nil && u.ID == "" {
		u, err = a.createExternal(ctx, who)
	}
	switch {
	case err != nil:
		return u, err
	case u.DisabledAt != nil:
		return u, ErrNoAccount
	case u.OrgID != who.OrgID:
		return u, ErrOtherOrganization
	}
	return a.followProvider(ctx, u, who)
}

// findExternal returns the user of an identity: the one who signed in with it before, or one of the name and
// organization who belongs to no identity yet and whose role is not higher, since at some providers people choose their
// names; an empty one without either.
func (a *AccountService) findExternal(ctx context.Context, who ExternalIdentity) (account.User, error) {
	all, err := a.people.ListUsers(ctx, "")
	if err != nil {
		return account.User{}, err
	}
	for _, u := range all {
		if u.IsExternal(who.Issuer, who.Subject) {
			return u, nil
		}
	}
	u, err := a.findUser(ctx, who.Name)
	isSame := u.IsExternal(who.Issuer, who.Subject) // made by a sign-in at the same time
	if err == nil && u.ID != "" && !isSame && (u.External != nil || u.OrgID != who.OrgID || !who.Role.Allows(u.Role)) {
		return account.User{}, ErrNameTaken
	}
	return u, err
}

// createExternal adds the account of a person, without a password. Its id follows from the identity, so that two
// sign-ins at once make one account.
func (a *AccountService) createExternal(ctx context.Context, who ExternalIdentity) (account.User, error) {
	if !who.Create || who.Name == "" {
		return account.User{}, ErrNoAccount
	}
	u := account.User{
		ID:    uuid.NewSHA1(uuid.NameSpaceURL, []byte(who.Issuer+"\x00"+who.Subject)).String(),
		OrgID: who.OrgID, Name: who.Name, Role: who.Role, CreatedAt: a.now().UTC(),
		External: &account.ExternalID{Issuer: who.Issuer, Subject: who.Subject},
	}
	err := a.people.CreateUser(ctx, u, providerActor)
	switch store.CodeOf(err) {
	case store.CodeConflict: // by a sign-in at the same time
		return a.people.FindUser(ctx, u.ID)
	case store.CodeNotFound:
		return account.User{}, fmt.Errorf("%w: %w", ErrNoAccount, err)
	}
	return u, err
}

// followProvider gives a user the role and the identity that the provider names.
func (a *AccountService) followProvider(
	ctx context.Context, u account.User, who ExternalIdentity,
) (account.User, error) {
	if u.Role == who.Role && u.External != nil {
		return u, nil
	}
	return a.people.ChangeUser(ctx, u.ID, "user.role", providerActor, a.now().UTC(), func(kept *account.User) error {
		if kept.External != nil && !kept.IsExternal(who.Issuer, who.Subject) {
			return ErrNameTaken
		}
		kept.Role, kept.External = who.Role, &account.ExternalID{Issuer: who.Issuer, Subject: who.Subject}
		return nil
	})
}

// EndByLogoutToken is [AccountService.EndExternal] for a logout token, which is accepted once. CodeConflict for one
// that was used before; one whose sessions could not be ended may be sent again.
func (a *AccountService) EndByLogoutToken(ctx context.Context, logout ExternalLogout) error {
	once := account.OneTimeRecord{
		Hash: a.hashOf("logout token\x00" + logout.Issuer + "\x00" + logout.TokenID), ExpiresAt: logout.Until.UTC(),
	}
	if err := a.people.AddOneTime(ctx, once, a.now().UTC()); err != nil {
		return err
	}
	err := a.EndExternal(ctx, logout)
	if err != nil {
		_, taken := a.people.TakeOneTime(context.WithoutCancel(ctx), once.Hash, a.now().UTC())
		err = errors.Join(err, taken)
	}
	return err
}

// EndExternal ends the sessions that were begun with the identity provider and that a logout names.
func (a *AccountService) EndExternal(ctx context.Context, logout ExternalLogout) error {
	all, err := a.people.ListUsers(ctx, "")
	if err != nil {
		return err
	}
	for _, u := range all {
		isMeant := u.External != nil && u.External.Issuer == logout.Issuer &&
			(logout.Subject == "" || u.External.Subject == logout.Subject)
		if isMeant && (logout.Subject != "" || logout.Session != "") {
			err = errors.Join(err, a.endExternalSessions(ctx, u, logout.Session))
		}
	}
	return err
}

// endExternalSessions ends a user's sessions of a session of the provider; of all for an empty one.
func (a *AccountService) endExternalSessions(ctx context.Context, u account.User, session string) error {
	all, err := a.ListSessions(ctx, u)
	if err != nil {
		return err
	}
	ended := 0
	for _, s := range all {
		if !s.External || session != "" && s.ExternalSession != session {
			continue
		}
		if err := a.people.EndSession(ctx, s.Hash); err != nil {
			return err
		}
		ended++
	}
	if ended == 0 {
		return nil
	}
	return a.people.AddAudit(ctx, u.OrgID, store.AuditEntry{
		At: a.now().UTC(), Actor: providerActor, Action: "user.sessions_end", Subject: u.Name,
	})
}
