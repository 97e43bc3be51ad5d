package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"munadi/appliance/quota"
	"munadi/engine/processors"
	"munadi/store/account"
)

// The parameters of new hashes: OWASP's for argon2id (19 MiB, 2 passes, 1 lane).
const (
	argonMemory = 19 << 10 // KiB
	argonPasses = 2
	argonLanes  = 1
	argonSalt   = 16 // bytes
	argonLength = 32 // bytes
)

// Passwords that may be hashed or wait for it, in all and of one client; further ones are refused with [ErrBusy]
// (backpressure).
const (
	waitingHashes   = 128
	waitingOfClient = 32
)

// ErrBusy means that too many passwords are being checked at the moment.
var ErrBusy = errors.New("too many sign-ins at once; try again in a moment")

// passwordHasher hashes passwords, few at a time, so that sign-ins do not take the memory and CPU time that calls need.
// Clients take turns: by organization for signed-in users; by network address for a sign-in, whose organization is not
// proven yet and must not show in the response time.
type passwordHasher struct {
	slots   *quota.Semaphore // running
	waiting *quota.Quota     // running and waiting
}

func newHasher() *passwordHasher {
	at := max(1, processors.CountProcessors()/2)
	return &passwordHasher{slots: quota.NewSemaphore(at, at), waiting: quota.NewQuota(waitingHashes, waitingOfClient)}
}

// acquireSlot waits for a slot; done releases it. [ErrBusy] if the queue is full.
func (h *passwordHasher) acquireSlot(ctx context.Context, client string) (done func(), err error) {
	if h.waiting.TakeUnits(client, 1) != nil {
		return nil, ErrBusy
	}
	if err := h.slots.AcquireSlot(ctx, client); err != nil {
		h.waiting.ReleaseUnits(client, 1)
		return nil, err
	}
	return func() { h.slots.ReleaseSlot(client); h.waiting.ReleaseUnits(client, 1) }, nil
}

// hashPassword returns a password's hash with a new salt, in the PHC string format.
func (h *passwordHasher) hashPassword(ctx context.Context, client, password string) (string, error) {
	done, err := h.acquireSlot(ctx, client)
	if err != nil {
		return "", err
	}
	defer done()
	p := argonHash{memory: argonMemory, passes: argonPasses, lanes: argonLanes, salt: make([]byte, argonSalt)}
	_, _ = rand.Read(p.salt) // never fails: the program crashes instead
	p.sum = p.hashPassword(password, argonLength)
	return p.String(), nil
}

// verifyPassword compares a password with a hash. An empty or malformed hash never matches, and takes as long (no
// timing oracle). stale means that the hash has weaker parameters than new ones.
func (h *passwordHasher) verifyPassword(
	ctx context.Context, client, hash, password string,
) (fits, stale bool, err error) {
	done, err := h.acquireSlot(ctx, client)
	if err != nil {
		return false, false, err
	}
	defer done()
	p, err := parseArgon(hash)
	if err != nil {
		p = argonHash{memory: argonMemory, passes: argonPasses, lanes: argonLanes, salt: make([]byte, argonSalt)}
		_ = p.hashPassword(password, argonLength)
		return false, false, nil // a malformed hash never matches
	}
	fits = subtle.ConstantTimeCompare(p.hashPassword(password, len(p.sum)), p.sum) == 1
	return fits, p.memory < argonMemory || p.passes < argonPasses || len(p.sum) < argonLength, nil
}

// argonHash is an argon2id hash with its parameters (RFC 9106).
type argonHash struct {
	memory    uint32 // KiB
	passes    uint32
	lanes     uint8
	salt, sum []byte
}

// hashPassword returns the raw hash of a password. It is normalized first (NFKC), since keyboards produce the same
// letters in several encodings.
func (p argonHash) hashPassword(password string, length int) []byte {
	typed := []byte(norm.NFKC.String(password))
	return argon2.IDKey(typed, p.salt, p.passes, p.memory, p.lanes, uint32(length)) //nolint:gosec // 64 at most
}

// String returns the PHC string format.
func (p argonHash) String() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.memory, p.passes, p.lanes,
		base64.RawStdEncoding.EncodeToString(p.salt), base64.RawStdEncoding.EncodeToString(p.sum))
}

// parseArgon parses the PHC string format. Parameters that would exhaust the machine's memory are refused.
func parseArgon(text string) (argonHash, error) {
	var (
		p       argonHash
		version int
	)
	bad := errors.New("this is not an argon2id hash")
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return p, bad
	}
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return p, bad
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.passes, &p.lanes); err != nil {
		return p, bad
	}
	var errs [2]error
	p.salt, errs[0] = base64.RawStdEncoding.DecodeString(parts[4])
	p.sum, errs[1] = base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(errs[:]...) != nil || len(p.salt) < 8 || len(p.sum) < 16 || len(p.sum) > 64 {
		return p, bad
	}
	if p.memory < 8 || p.memory > 256<<10 || p.passes < 1 || p.passes > 16 || p.lanes < 1 || p.lanes > 16 {
		return p, bad
	}
	return p, nil
}

// SetPassword sets a user's password by another person, who knows it: a temporary one, whoever thought it up. It ends
// the user's lockout and all sessions but one (nil: all).
func (a *AccountService) SetPassword(ctx context.Context, u account.User, password, actor string, but []byte) error {
	return a.setPassword(ctx, u, password, passwordWrite{
		what: "user.password", actor: actor, until: a.temporaryExpiry(),
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
		groups[i] = randomText(suggestedGroup, suggestedSigns)
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

// passwordExpiry returns when a password expires with which a user is created: one that was suggested after
// [SuggestedFor], one of the user's own never (nil).
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
