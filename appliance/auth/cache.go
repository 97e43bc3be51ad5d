package auth

import (
	"sync"
	"time"
)

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
