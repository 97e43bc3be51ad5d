package auth

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"munadi/store"
)

const (
	// touchEvery is the shortest interval at which a key's last use is recorded.
	touchEvery = time.Minute
	// touchQueue is how many records may wait; beyond it a use is not recorded until the next one.
	touchQueue = 256
	// touchFlush is the timeout for writing the waiting records at shutdown.
	touchFlush = 5 * time.Second
)

// keyUse is one use to be recorded.
type keyUse struct {
	orgID, keyID string
	at           time.Time
}

// keyUseRecorder records the last use of keys in the background.
type keyUseRecorder struct {
	keys KeyStore
	log  *slog.Logger

	mu    sync.Mutex
	last  map[string]time.Time // by key, the last use that was queued
	queue chan keyUse
}

// newKeyUseRecorder returns an empty queue.
func newKeyUseRecorder(keys KeyStore, log *slog.Logger) *keyUseRecorder {
	return &keyUseRecorder{keys: keys, log: log, last: map[string]time.Time{}, queue: make(chan keyUse, touchQueue)}
}

// queueUse queues a use, unless one of the last minute was queued; it never blocks.
func (t *keyUseRecorder) queueUse(who Principal, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if last, ok := t.last[who.KeyID]; ok && now.Sub(last) < touchEvery {
		return
	}
	select {
	case t.queue <- keyUse{who.OrgID, who.KeyID, now}:
		t.last[who.KeyID] = now
	default:
	}
}

// Run records last uses until ctx ends, then those that still wait. It returns nil.
func (a *KeyVerifier) Run(ctx context.Context) error {
	t := a.keyUses
	for {
		select {
		case use := <-t.queue:
			t.recordUse(ctx, use)
		case <-ctx.Done():
			flush, cancel := context.WithTimeout(context.WithoutCancel(ctx), touchFlush)
			defer cancel()
			t.drainUses(flush)
			return nil
		}
	}
}

// drainUses records the waiting uses.
func (t *keyUseRecorder) drainUses(ctx context.Context) {
	for {
		select {
		case use := <-t.queue:
			t.recordUse(ctx, use)
		default:
			return
		}
	}
}

// recordUse writes one use. An error is logged only; a deleted key is no error.
func (t *keyUseRecorder) recordUse(ctx context.Context, use keyUse) {
	err := t.keys.TouchKey(ctx, use.orgID, use.keyID, use.at)
	if err != nil && store.CodeOf(err) != store.CodeNotFound {
		t.log.Warn("last use of a key not recorded", "key", use.keyID, "error", err)
	}
}

const (
	// cacheSize is the largest number of cached keys.
	cacheSize = 1024
	// cacheFor is the lifetime of a cache entry: long enough to spare the store, short enough that a revocation by
	// another appliance on the same store takes effect within 5 s.
	cacheFor = 3 * time.Second
)

// keyCache caches valid keys by their hash; the keys themselves are not kept. It is cleared whenever a key is
// revoked.
type keyCache struct {
	mu    sync.Mutex
	size  int
	known map[KeyHash]cachedKey
	gen   uint64 // number of times it was cleared
}

// cachedKey is one cached principal with its expiry.
type cachedKey struct {
	who   Principal
	until time.Time
}

// newCache returns an empty cache for size keys.
func newCache(size int) *keyCache { return &keyCache{size: size, known: map[KeyHash]cachedKey{}} }

// getPrincipal returns the cached principal of a key's hash, if it has not expired at now.
func (c *keyCache) getPrincipal(hash KeyHash, now time.Time) (Principal, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.known[hash]
	return entry.who, ok && now.Before(entry.until)
}

// generation returns the counter that a caller reads before it asks the store and passes to putPrincipal.
func (c *keyCache) generation() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gen
}

// putPrincipal caches a valid key, unless the cache was cleared since generation: the store may have been asked
// before the revocation that cleared it. A full cache evicts an arbitrary key.
func (c *keyCache) putPrincipal(hash KeyHash, who Principal, now time.Time, generation uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gen != generation {
		return
	}
	for other := range c.known {
		if len(c.known) < c.size {
			break
		}
		delete(c.known, other)
	}
	c.known[hash] = cachedKey{who: who, until: now.Add(cacheFor)}
}

// clearKeys removes all entries.
func (c *keyCache) clearKeys() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	clear(c.known)
}
