package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"munadi/appliance/quota"
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
	at := max(1, runtime.NumCPU()/2)
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
