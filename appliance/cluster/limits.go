package cluster

import (
	"context"
	"time"

	"munadi/appliance/auth"
)

// Kinds of messages of limits.
const (
	takenKind   = "taken"   // map[string]int: requests of keys that the sender let in
	lockoutKind = "lockout" // auth.LockoutChange
)

// exchangeEvery is the interval of sending the keys' requests to the other appliances.
const exchangeEvery = 200 * time.Millisecond

// TokenBuckets are the rate limits of keys.
type TokenBuckets interface {
	TakenTokens() map[string]int
	DebitTokens(keyID string, n int)
}

// SignInLocks are the counters of failed sign-ins.
type SignInLocks interface {
	ShareLockouts(share func(auth.LockoutChange))
	ApplyLockout(change auth.LockoutChange)
}

// LimitExchange has limits that are counted in memory hold over all appliances: requests of a key, and failed sign-ins.
type LimitExchange struct {
	messenger *Messenger
	buckets   TokenBuckets
}

// NewExchange returns an exchange, and subscribes to messages; [LimitExchange.Run] runs it.
func NewExchange(m *Messenger, buckets TokenBuckets, locks SignInLocks) *LimitExchange {
	handleKind(m, takenKind, func(_ string, taken map[string]int) {
		for key, n := range taken {
			buckets.DebitTokens(key, n)
		}
	})
	handleKind(m, lockoutKind, func(_ string, change auth.LockoutChange) { locks.ApplyLockout(change) })
	locks.ShareLockouts(func(change auth.LockoutChange) { m.sendKind("", lockoutKind, change) })
	buckets.TakenTokens() // begins to count
	return &LimitExchange{messenger: m, buckets: buckets}
}

// Run sends the requests that this appliance admitted to the other appliances, until ctx ends.
func (x *LimitExchange) Run(ctx context.Context) error {
	tick := time.NewTicker(exchangeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if taken := x.buckets.TakenTokens(); len(taken) > 0 {
				x.messenger.sendKind("", takenKind, taken)
			}
		}
	}
}
