package auth

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"munadi/store"
	"munadi/store/account"
)

// UserStore is the part of store.Store that accounts use.
type UserStore interface {
	store.UserStore
}

// ErrOutlived means that the password was right, but was a temporary one that the user did not replace in time.
var ErrOutlived = errors.New("this temporary password has expired; an owner can set a new one")

// ErrWrong means that name and password do not match; it does not say which of the two is wrong.
var ErrWrong = errors.New("name or password is wrong")

// AccountService signs users in to the console and manages their sessions. It is safe for concurrent use.
type AccountService struct {
	people  UserStore
	secret  [32]byte // key of the session hashes
	forms   [32]byte // key of the CSRF tokens
	devices [32]byte // key of the device cookies
	factors [32]byte // seals the secrets of second factors, and key of the hashes of recovery codes
	steps   [32]byte // key of the tokens between password and code
	now     func() time.Time
	log     *slog.Logger
	hasher  *passwordHasher
	locks   *signInLockout

	ownersOnly bool      // only owners sign in with a password
	directory  Directory // nil: all users are of the appliance, or of an identity provider
	issuer     string    // of the directory, in accounts; empty without one

	isSetUp atomic.Bool // there was a user

	mu     sync.Mutex // guards the set-up link
	linked setupLink
}

// NewAccounts returns the account service over a store, whose keys are derived from the installation's secret.
func NewAccounts(people UserStore, secret InstallationSecret, now func() time.Time, log *slog.Logger) *AccountService {
	return &AccountService{
		people: people, secret: secret.DeriveKey("console sessions"), forms: secret.DeriveKey("console forms"),
		devices: secret.DeriveKey("console devices"), factors: secret.DeriveKey("second factors"),
		steps: secret.DeriveKey("console sign-in steps"),
		now:   now, log: log, hasher: newHasher(), locks: newLockout(),
	}
}

// NewAccountService returns the account service with the secret and clock of a; errors in the background are not
// logged.
func (a *KeyVerifier) NewAccountService(people UserStore) *AccountService {
	return NewAccounts(people, a.secret, a.now, slog.New(slog.DiscardHandler))
}

// SignInOrigin describes the client of a sign-in.
type SignInOrigin struct {
	Address string // IP address
	Agent   string // User-Agent
	// External says that the company's identity provider signed the person in, in its session ExternalSession.
	External        bool
	ExternalSession string

	Device string // value of its device cookie, see [AccountService.DeviceToken]; empty: none

	began time.Time // of the sign-in
}

// SignIn checks a name and a password and starts a session, whose token is for the session cookie. Its errors: a
// [*LockedError] during a lockout after too many failures, [ErrWrong], [ErrOutlived], [ErrPasswordsOff], [ErrBusy] when
// too many sign-ins are being checked; where there is a directory [ErrDirectoryAway], and those of
// [AccountService.SignInExternal].
func (a *AccountService) SignIn(
	ctx context.Context, name, password string, from SignInOrigin,
) (string, account.User, error) {
	counted := a.countedUnder(name, from)
	if err := a.locks.beginAttempt(a.now(), counted...); err != nil {
		return "", account.User{}, err
	}
	from.began = time.Now()
	u, err := a.findUser(ctx, name)
	if err != nil {
		a.locks.takeBack(counted...)
		return "", account.User{}, err
	}
	if a.asksDirectory(u) {
		if u, err = a.signInByDirectory(ctx, u, name, password, from, counted); err != nil {
			return "", account.User{}, err
		}
		return a.beginOrAskCode(ctx, u, from)
	}
	fits, stale, err := a.hasher.verifyPassword(ctx, addressNetwork(from.Address), u.Password, clipPassword(password))
	if err != nil { // the password was not compared
		a.locks.takeBack(counted...)
		return "", account.User{}, err
	}
	if !fits || u.ID == "" || u.DisabledAt != nil {
		return "", account.User{}, a.refuseWrong(ctx, u, from)
	}
	a.locks.forgiveFailures(counted[0], counted[1:]...)
	if a.isPasswordExpired(u) {
		a.refuseSignIn(ctx, u, from)
		return "", account.User{}, ErrOutlived
	}
	if a.ownersOnly && u.Role != account.Owner {
		a.refuseSignIn(ctx, u, from)
		return "", account.User{}, ErrPasswordsOff
	}
	if stale {
		u = a.upgradePasswordHash(ctx, u, password)
	}
	return a.beginOrAskCode(ctx, u, from)
}

// beginOrAskCode starts a session for a user whose password was right, or asks for the second factor.
func (a *AccountService) beginOrAskCode(
	ctx context.Context, u account.User, from SignInOrigin,
) (string, account.User, error) {
	if u.SecondFactor != nil {
		return "", account.User{}, &CodeNeededError{a.newStepToken(u)}
	}
	token, err := a.beginCheckedSession(ctx, u, from)
	if err != nil {
		return "", account.User{}, err
	}
	return token, u, nil
}

// findUser returns the user of that name, or an empty one if there is none.
func (a *AccountService) findUser(ctx context.Context, name string) (account.User, error) {
	if account.CheckUserName(name) != nil {
		return account.User{}, nil //nolint:nilerr // no user has this name
	}
	u, err := a.people.UserByName(ctx, name)
	if store.CodeOf(err) == store.CodeNotFound {
		return account.User{}, nil
	}
	return u, err
}

// upgradePasswordHash replaces a hash with old parameters by a new one (rehash at sign-in) and returns the user as
// stored then. The sign-in does not fail with it.
func (a *AccountService) upgradePasswordHash(ctx context.Context, u account.User, password string) account.User {
	hash, err := a.hasher.hashPassword(ctx, u.OrgID, password)
	if err == nil {
		var changed account.User
		changed, err = a.writePassword(ctx, u.ID, hash, passwordWrite{
			what: "user.rehash", actor: "appliance", replaces: u.Password, until: u.PasswordUntil,
		})
		if err == nil {
			return changed
		}
	}
	a.log.Warn("a password keeps its old hash", "user", u.ID, "err", err)
	return u
}

// CreateUser adds a user with a password. The error is a [*WeakPassword] for one that the rules refuse.
func (a *AccountService) CreateUser(
	ctx context.Context, orgID, name string, role account.UserRole, password, actor string,
) (account.User, error) {
	if err := CheckPassword(password, name); err != nil {
		return account.User{}, err
	}
	return a.createUser(ctx, orgID, name, role, password, a.passwordExpiry(password), actor)
}

// InviteUser is CreateUser by another person, who knows the password: it is a temporary one, whoever thought it up.
func (a *AccountService) InviteUser(
	ctx context.Context, orgID, name string, role account.UserRole, password, actor string,
) (account.User, error) {
	if err := CheckPassword(password, name); err != nil {
		return account.User{}, err
	}
	return a.createUser(ctx, orgID, name, role, password, a.temporaryExpiry(), actor)
}

func (a *AccountService) createUser(
	ctx context.Context, orgID, name string, role account.UserRole, password string, until *time.Time, actor string,
) (account.User, error) {
	hash, err := a.hasher.hashPassword(ctx, orgID, password)
	if err != nil {
		return account.User{}, err
	}
	u := account.User{
		ID: uuid.NewString(), OrgID: orgID, Name: name, Role: role, Password: hash, CreatedAt: a.now().UTC(),
		PasswordUntil: until,
	}
	return u, a.people.CreateUser(ctx, u, actor)
}

// nameKey returns the key under which an account's failures are counted.
func nameKey(name string) string { return "name/" + strings.ToLower(name) }

// clipPassword bounds how much of a submitted password is hashed: longer ones cannot have been set.
func clipPassword(password string) string { return password[:min(len(password), MaxPassword*4+1)] }

// addressNetwork returns the network under which an address is counted: an IPv6 customer has a whole /64.
func addressNetwork(address string) string {
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
