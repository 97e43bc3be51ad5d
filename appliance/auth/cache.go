package auth

import (
	"sync"
	"time"
)

const (
	// cacheSize is how many keys are remembered at most.
	cacheSize = 1024
	// cacheFor is how long one is: long enough to spare the store, short enough should another appliance on the same
	// store revoke it, which counts within 5 s.
	cacheFor = 3 * time.Second
)

// keyCache remembers live keys by their hash, so that what was presented stays nowhere. It is emptied whenever a key is
// revoked.
type keyCache struct {
	mu    sync.Mutex
	size  int
	known map[KeyHash]cachedKey
	gen   uint64 // how often it was emptied
}

// cachedKey is one live key.
type cachedKey struct {
	who   Principal
	until time.Time
}

// newCache is an empty cache for size keys.
func newCache(size int) *keyCache { return &keyCache{size: size, known: map[KeyHash]cachedKey{}} }

// getPrincipal is who holds the key of that hash, if it is remembered at now.
func (c *keyCache) getPrincipal(hash KeyHash, now time.Time) (Principal, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.known[hash]
	return entry.who, ok && now.Before(entry.until)
}

// generation is to be noted before the store is asked, and given to put.
func (c *keyCache) generation() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gen
}

// putPrincipal remembers a live key, unless the cache was emptied since generation: the store may have been asked before the
// revocation that emptied it. A full cache forgets some other key.
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

// clearKeys forgets all.
func (c *keyCache) clearKeys() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gen++
	clear(c.known)
}
