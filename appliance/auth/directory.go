package auth

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"munadi/store"
	"munadi/store/account"
)

// ErrDirectoryAway means that the company's directory does not answer, or not as the settings expect.
var ErrDirectoryAway = errors.New("the company's directory cannot be asked")

// ErrDirectoryPassword means that the directory checks a user's password, which cannot be set here.
var ErrDirectoryPassword = store.Errorf(store.CodeConflict,
	"this user signs in with the password of the company's directory (ldap-url), and it is changed there")

// Directory is the company's directory (LDAP), which checks the passwords of its people; *ldap.Directory is one.
type Directory interface {
	Issuer() string
	Authenticate(ctx context.Context, name, password, client string, attempt func(subject string) error) (
		ExternalIdentity, error)
	FindPerson(ctx context.Context, name, subject string) (ExternalIdentity, error)
}

// refusalTime is how long a refused sign-in takes where there is a directory, or a multiple of it: its
// answers must not tell the names of the directory from those of the appliance, and from nobody's.
const refusalTime = time.Second

// checkInterval is the interval between two looks at who has left the directory.
const checkInterval = 10 * time.Minute

// UseDirectory lets people of a directory sign in; before the first sign-in.
func (a *AccountService) UseDirectory(d Directory) { a.directory, a.issuer = d, d.Issuer() }

// KnowDirectory says what stands for the directory in accounts, where nobody signs in.
func (a *AccountService) KnowDirectory(issuer string) { a.issuer = issuer }

// DirectoryReason is why a directory refuses a password that may be right: the account is locked, disabled, expired. It
// is joined with [ErrWrong].
type DirectoryReason string

func (r DirectoryReason) Error() string { return string(r) }

// HasDirectory reports whether people of a directory sign in.
func (a *AccountService) HasDirectory() bool { return a.directory != nil }

// IsOfDirectory reports whether the directory checks a user's password.
func (a *AccountService) IsOfDirectory(u account.User) bool {
	return a.issuer != "" && u.External != nil && u.External.Issuer == a.issuer
}

// HasPassword reports whether a user has a password to sign in and confirm with, here or in the directory.
func (a *AccountService) HasPassword(u account.User) bool {
	return u.Password != "" || a.IsOfDirectory(u)
}

// asksDirectory reports whether the password of a sign-in is the directory's: of its people and of names that no user
// has.
func (a *AccountService) asksDirectory(u account.User) bool {
	return a.directory != nil && u.ID == "" || a.IsOfDirectory(u)
}

// refuseWrong refuses a name and password that are not those of a user of the appliance. Where there is a directory it
// is asked for nobody meanwhile, so that the refusal takes as many steps as that of a name of the directory, and is the
// same while the directory is away: else an attacker could tell which names are those of the appliance.
func (a *AccountService) refuseWrong(ctx context.Context, u account.User, from SignInOrigin) error {
	refused := ErrWrong
	if a.directory != nil {
		_, err := a.directory.Authenticate(ctx, rand.Text(), rand.Text(), addressNetwork(from.Address),
			func(string) error { return ErrWrong })
		refused = cmp.Or(err, refused)
	}
	a.refuseSignIn(ctx, u, from)
	return refused
}

// countBind returns the function that counts an attempt at a person of the directory before the directory does, under
// the person, whatever name was typed. One who is locked out under another name is refused as with a wrong password: a
// lockout at the first attempt with this name would tell that it is the same person's. A browser that signed in before
// has a counter of its own already.
func (a *AccountService) countBind(counted []lockoutSubject, bound *[]lockoutSubject) func(subject string) error {
	return func(subject string) error {
		if len(counted) == 1 {
			return nil
		}
		person := lockoutSubject{directoryKey + subject, freeByDirectory}
		if a.locks.beginAttempt(a.now(), person) != nil {
			return ErrWrong
		}
		*bound = append(*bound, person)
		return nil
	}
}

// signInByDirectory is [AccountService.SignIn] for a person whose password the directory checks; u is the user of that
// name, if there is one. counted has counted the attempt.
func (a *AccountService) signInByDirectory(
	ctx context.Context, u account.User, name, password string, from SignInOrigin, counted []lockoutSubject,
) (account.User, error) {
	if u.DisabledAt != nil {
		return u, a.refuseWrong(ctx, u, from)
	}
	var bound []lockoutSubject
	who, err := a.directory.Authenticate(ctx, name, password, addressNetwork(from.Address), a.countBind(counted, &bound))
	switch {
	case errors.Is(err, ErrWrong):
		if reason, ok := errors.AsType[DirectoryReason](err); ok {
			a.log.Warn("the directory refused a password", "address", from.Address, "reason", string(reason))
		}
		a.refuseSignIn(ctx, u, from)
		return u, err
	case errors.Is(err, ErrNoAccount):
		a.forgiveAll(counted, bound)
		return u, errors.Join(err, a.endSessionsOf(ctx, who))
	case errors.Is(err, ErrDirectoryAway), errors.Is(err, ErrBusy):
		// The attempt still counts under the name, as does one at a user of the appliance meanwhile; not under the address,
		// from which a whole company may sign in.
		a.locks.takeBack(append(bound, counted[min(1, len(counted)-1):]...)...)
		a.delayRefusal(ctx, from)()
		return u, err
	case err != nil:
		a.locks.takeBack(append(bound, counted...)...)
		return u, err
	}
	a.forgiveAll(counted, bound)
	return a.admitExternal(ctx, who)
}

// forgiveAll forgives the failures of a person whose password was right.
func (a *AccountService) forgiveAll(counted, bound []lockoutSubject) {
	a.locks.forgiveFailures(counted[0], counted[1:]...)
	for _, person := range bound {
		a.locks.forgiveFailures(person)
	}
}

// confirmByDirectory checks the password of a signed-in user of the directory.
func (a *AccountService) confirmByDirectory(ctx context.Context, u account.User, password string) error {
	who, err := a.directory.Authenticate(ctx, u.Name, password, u.ID, func(subject string) error {
		if !u.IsExternal(a.directory.Issuer(), subject) {
			return ErrWrong // somebody else has this name by now
		}
		return nil
	})
	if errors.Is(err, ErrNoAccount) {
		return errors.Join(ErrWrong, a.endSessionsOf(ctx, who))
	}
	return err
}

// checkDirectory reports whether a user who is signed in without a password is still in the directory: [ErrNoAccount]
// for one who has left it, whose sessions end. It sets the role.
func (a *AccountService) checkDirectory(ctx context.Context, u account.User) (account.User, error) {
	if !a.IsOfDirectory(u) {
		return u, nil
	}
	who, err := a.directory.FindPerson(ctx, u.Name, u.External.Subject)
	if err == nil && who.OrgID != u.OrgID {
		err = ErrNoAccount
	}
	if errors.Is(err, ErrNoAccount) {
		return u, errors.Join(err, a.endSessionsOf(ctx, ExternalIdentity{
			Issuer: u.External.Issuer, Subject: u.External.Subject,
		}))
	}
	if err != nil {
		return u, err
	}
	return a.followProvider(ctx, u, who)
}

// endSessionsOf ends all sessions of a person of the directory, if there is an account.
func (a *AccountService) endSessionsOf(ctx context.Context, who ExternalIdentity) error {
	all, err := a.people.ListUsers(ctx, "")
	if err != nil {
		return err
	}
	for _, u := range all {
		if !u.IsExternal(who.Issuer, who.Subject) {
			continue
		}
		ended, err := a.people.EndSessions(ctx, u.ID, nil)
		if err != nil || ended == 0 {
			return err
		}
		return a.people.AddAudit(ctx, u.OrgID, store.AuditEntry{
			At: a.now().UTC(), Actor: providerActor, Action: "user.sessions_end", Subject: u.Name,
		})
	}
	return nil
}

// WatchDirectory ends the sessions of people who have left the directory, and follows its roles, until ctx ends. A
// directory that is away is logged once; nobody is signed out then.
func (a *AccountService) WatchDirectory(ctx context.Context) error {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	for said := false; ; {
		err := a.CheckSignedIn(ctx)
		if err != nil && !said && ctx.Err() == nil {
			a.log.Warn("the company's directory does not answer; its people cannot sign in", "err", err)
		}
		said = err != nil
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// CheckSignedIn looks up everybody who is signed in and of the directory.
func (a *AccountService) CheckSignedIn(ctx context.Context) error {
	all, err := a.people.ListUsers(ctx, "")
	for _, u := range all {
		if !a.IsOfDirectory(u) {
			continue
		}
		open, failed := a.ListSessions(ctx, u)
		if failed == nil && len(open) > 0 {
			_, failed = a.checkDirectory(ctx, u)
		}
		if failed != nil && !errors.Is(failed, ErrNoAccount) {
			err = failed
		}
	}
	return err
}
