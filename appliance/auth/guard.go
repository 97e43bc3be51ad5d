package auth

import (
	"context"
	"errors"
	"time"

	"munadi/store"
)

const (
	// guardEvery is the interval between two checks of a lasting access; a revocation takes effect within 5 s.
	guardEvery = 2 * time.Second
	// guardPatience is the timeout of one check.
	guardPatience = 2 * time.Second
)

// ErrRevoked means that the access of a running request was revoked: its key was revoked, its session ended, its user
// was disabled, deleted or given a lesser role.
var ErrRevoked = errors.New("the access was revoked")

// AccessCheck reports whether an access is still valid. An error means that it cannot be checked now.
type AccessCheck func(ctx context.Context) (bool, error)

// GuardAccess returns a context for a long-lived answer (a stream, a socket, a long decoding) that is cancelled with
// cause (see [context.Cause]) within 4 s after alive reports false. While it cannot be checked, as when the database
// is away, the stream continues. A nil alive means an access that cannot be revoked. The caller calls stop when the
// answer has ended.
func GuardAccess(
	ctx context.Context, alive AccessCheck, cause error,
) (guarded context.Context, stop context.CancelFunc) {
	if alive == nil {
		return context.WithCancel(ctx)
	}
	guarded, cancel := context.WithCancelCause(ctx)
	go watchAccess(guarded, alive, func() { cancel(cause) })
	return guarded, func() { cancel(context.Canceled) }
}

// watchAccess polls alive until it reports false, or ctx ends.
func watchAccess(ctx context.Context, alive AccessCheck, revoked func()) {
	tick := time.NewTicker(guardEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !stillAlive(ctx, alive) {
				revoked()
				return
			}
		}
	}
}

// stillAlive checks once; an error counts as valid.
func stillAlive(ctx context.Context, alive AccessCheck) bool {
	ctx, cancel := context.WithTimeout(ctx, guardPatience)
	defer cancel()
	yes, err := alive(ctx)
	return yes || err != nil
}

// KeyAlive reports whether the key with that id is still valid. It asks the store, so that a revocation by another
// appliance on the same store counts too.
func (a *KeyVerifier) KeyAlive(ctx context.Context, keyID string) (bool, error) {
	key, err := a.keys.FindKey(ctx, keyID)
	if store.CodeOf(err) == store.CodeNotFound {
		return false, nil
	}
	return err == nil && key.IsLive(), err
}
