package auth

import (
	"context"
	"errors"
	"time"

	"munadi/store"
)

const (
	// guardEvery is the time between two checks of an access that lasts; revoked access ends within 5 s.
	guardEvery = 2 * time.Second
	// guardPatience is how long one check may take.
	guardPatience = 2 * time.Second
)

// ErrRevoked says that what let a client in holds no longer: its key was revoked, its session ended, its user was
// disabled, deleted or given a lesser role.
var ErrRevoked = errors.New("the access was revoked")

// AccessCheck says whether what let a client in still holds. An error says that it cannot be told now.
type AccessCheck func(ctx context.Context) (bool, error)

// GuardAccess is ctx for an answer that lasts (a stream, a socket, a long decoding): it is cancelled with cause (see
// [context.Cause]) within 4 s of alive saying no. While it cannot be told, as when the database is away, the stream goes
// on. A nil alive means an access that nothing revokes. The caller calls stop when the answer has ended.
func GuardAccess(ctx context.Context, alive AccessCheck, cause error) (guarded context.Context, stop context.CancelFunc) {
	if alive == nil {
		return context.WithCancel(ctx)
	}
	guarded, cancel := context.WithCancelCause(ctx)
	go watchAccess(guarded, alive, func() { cancel(cause) })
	return guarded, func() { cancel(context.Canceled) }
}

// watchAccess asks alive again and again until it says no, or ctx ends.
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

// stillAlive asks once; what cannot be told counts as yes.
func stillAlive(ctx context.Context, alive AccessCheck) bool {
	ctx, cancel := context.WithTimeout(ctx, guardPatience)
	defer cancel()
	yes, err := alive(ctx)
	return yes || err != nil
}

// KeyAlive says whether the key with that id still lives. It asks the store, so that a revocation by another appliance
// on the same store counts too.
func (a *KeyVerifier) KeyAlive(ctx context.Context, keyID string) (bool, error) {
	key, err := a.keys.FindKey(ctx, keyID)
	if store.CodeOf(err) == store.CodeNotFound {
		return false, nil
	}
	return err == nil && key.IsLive(), err
}
