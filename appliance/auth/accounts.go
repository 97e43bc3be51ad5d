package auth

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"munadi/store"
	"munadi/store/org"
)

// People is what accounts need of the store; store.Store has it.
type People interface {
	store.Users
}

// ErrOutlived says that a password that was made for the user fits, but was not replaced in time by one of the user's
// own.
var ErrOutlived = errors.New("this first password has ended; an owner can make a new one")

// ErrWrong is the answer to a name and password that do not fit, whichever of the two is wrong.
var ErrWrong = errors.New("name or password is wrong")

// Accounts sign people in to the console and keep their sessions. It is safe for concurrent use.
type Accounts struct {
	people  People
	secret  [32]byte // of sessions
	forms   [32]byte // of their CSRF tokens
	devices [32]byte // of device cookies
	now     func() time.Time
	log     *slog.Logger
	hasher  *hasher
	locks   *lockout

	mu     sync.Mutex // guards the set-up link
	linked link
}

// NewAccounts are the accounts over a store, whose sessions are hashed under the installation's secret.
func NewAccounts(people People, secret Secret, now func() time.Time, log *slog.Logger) *Accounts {
	return &Accounts{
		people: people, secret: secret.Derive("console sessions"), forms: secret.Derive("console forms"),
		devices: secret.Derive("console devices"),
		now:     now, log: log, hasher: newHasher(), locks: newLockout(),
	}
}

// Accounts are those of an installation whose keys a verifies; what goes wrong in the background is not logged.
func (a *Auth) Accounts(people People) *Accounts {
	return NewAccounts(people, a.secret, a.now, slog.New(slog.DiscardHandler))
}

// From is where somebody signs in from.
type From struct {
	Address string // IP address
	Agent   string // what the browser calls itself
	Device  string // value of its device cookie, see [Accounts.DeviceToken]; empty: none
}

// SignIn checks a name and a password and begins a session, whose token is for the cookie. A [*Locked] while there were
// too many failures, [ErrWrong] for what does not fit, [ErrOutlived], [ErrBusy] when too many try at once.
func (a *Accounts) SignIn(ctx context.Context, name, password string, from From) (string, org.User, error) {
	counted := a.countedUnder(name, from)
	if err := a.locks.begin(a.now(), counted...); err != nil {
		return "", org.User{}, err
	}
	u, fits, stale, err := a.judge(ctx, name, password)
	if err != nil {
		a.locks.takeBack(counted...)
		return "", org.User{}, err
	}
	if !fits || u.ID == "" || u.DisabledAt != nil {
		a.refused(ctx, u, from)
		return "", org.User{}, ErrWrong
	}
	a.locks.forgive(counted[0], counted[1:]...)
	if a.outlived(u) {
		a.refused(ctx, u, from)
		return "", org.User{}, ErrOutlived
	}
	if stale {
		a.rehash(ctx, u, password)
	}
	token, err := a.begin(ctx, u, from)
	return token, u, err
}

// judge finds the user of that name and compares the password, see [hasher.verify]. With an error nobody looked at it.
func (a *Accounts) judge(ctx context.Context, name, password string) (u org.User, fits, stale bool, err error) {
	if u, err = a.find(ctx, name); err == nil {
		fits, stale, err = a.hasher.verify(ctx, u.Password, clip(password))
	}
	return u, fits, stale, err
}

// find is the user of that name; an empty one for nobody.
func (a *Accounts) find(ctx context.Context, name string) (org.User, error) {
	if org.CheckUserName(name) != nil {
		return org.User{}, nil //nolint:nilerr // nobody has such a name
	}
	u, err := a.people.UserByName(ctx, name)
	if store.CodeOf(err) == store.CodeNotFound {
		return org.User{}, nil
	}
	return u, err
}

// refused records a refusal, in the audit trail where it concerns somebody. What was typed as a name may be a password,
// so that the log has none.
func (a *Accounts) refused(ctx context.Context, u org.User, from From) {
	a.log.Warn("a sign-in was refused", "address", from.Address, "user", u.ID)
	if u.ID == "" {
		return
	}
	line := store.Change{
		At: a.now().UTC(), Actor: "address:" + from.Address, Action: "user.sign_in_refused", Subject: u.Name,
	}
	if err := a.people.Note(ctx, u.OrgID, line); err != nil {
		a.log.Warn("a refused sign-in is not in the audit trail", "err", err)
	}
}

// rehash replaces a hash of old parameters. The sign-in does not depend on it.
func (a *Accounts) rehash(ctx context.Context, u org.User, password string) {
	hash, err := a.hasher.hash(ctx, password)
	if err == nil {
		_, err = a.people.ChangeUser(ctx, u.ID, "user.rehash", "appliance", a.now().UTC(), func(changed *org.User) error {
			changed.Password = hash
			return nil
		})
	}
	if err != nil {
		a.log.Warn("a password keeps its old hash", "user", u.ID, "err", err)
	}
}

// CreateUser adds a user with a password. A [*WeakPassword] for one that may not be.
func (a *Accounts) CreateUser(
	ctx context.Context, orgID, name string, role org.Role, password, actor string,
) (org.User, error) {
	if err := CheckPassword(password, name); err != nil {
		return org.User{}, err
	}
	return a.create(ctx, orgID, name, role, password, actor)
}

func (a *Accounts) create(
	ctx context.Context, orgID, name string, role org.Role, password, actor string,
) (org.User, error) {
	hash, err := a.hasher.hash(ctx, password)
	if err != nil {
		return org.User{}, err
	}
	u := org.User{
		ID: uuid.NewString(), OrgID: orgID, Name: name, Role: role, Password: hash, CreatedAt: a.now().UTC(),
		PasswordUntil: a.until(password),
	}
	return u, a.people.CreateUser(ctx, u, actor)
}

// SetPassword gives a user a new password, lifts its lock and ends its sessions but one (nil: all).
func (a *Accounts) SetPassword(ctx context.Context, u org.User, password, actor string, but []byte) error {
	return a.setPassword(ctx, u, password, a.until(password), actor, but)
}

func (a *Accounts) setPassword(
	ctx context.Context, u org.User, password string, until *time.Time, actor string, but []byte,
) error {
	if err := CheckPassword(password, u.Name); err != nil {
		return err
	}
	hash, err := a.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	_, err = a.people.ChangeUser(ctx, u.ID, "user.password", actor, a.now().UTC(), func(changed *org.User) error {
		changed.Password, changed.PasswordUntil = hash, until
		return nil
	})
	if err != nil {
		return err
	}
	a.locks.forgive(who{key: nameKey(u.Name)})
	_, err = a.people.EndSessions(ctx, u.ID, but)
	return err
}

// ChangePassword is SetPassword by the user, who knows the old one; the session that asks lives on. Its failures are
// counted by session: strangers who guess at the account do not keep its owner from changing the password.
func (a *Accounts) ChangePassword(ctx context.Context, u org.User, s org.Session, old, password string) error {
	session := who{"session/" + string(s.Hash), freeByAccount}
	if err := a.locks.begin(a.now(), session); err != nil {
		return err
	}
	fits, _, err := a.hasher.verify(ctx, u.Password, clip(old))
	if err != nil {
		a.locks.takeBack(session)
		return err
	}
	if !fits {
		return ErrWrong
	}
	a.locks.forgive(session)
	return a.setPassword(ctx, u, password, nil, "user:"+u.ID, s.Hash)
}

// nameKey is what an account's failures are counted under.
func nameKey(name string) string { return "name/" + strings.ToLower(name) }

// clip bounds what is hashed of a stranger's password; nobody has a longer one.
func clip(password string) string { return password[:min(len(password), MaxPassword*4+1)] }

// network is what an address counts under: IPv6 hands whole networks of 64 bits to one customer.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if ip = ip.Unmap(); ip.Is6() {
		if net, err := ip.Prefix(64); err == nil {
			return net.String()
		}
	}
	return ip.String()
}
