package tts

import (
	"container/list"
	"sync"
)

// soundCache is an LRU cache of audio with a size limit in bytes.
type soundCache struct {
	mu    sync.Mutex
	limit int
	bytes int
	order *list.List // of *entry, most recently used first
	byKey map[string]*list.Element
}

type cacheEntry struct {
	key   string
	sound SpokenSound
}

func (e *cacheEntry) byteSize() int { return 2*len(e.sound.PCM) + 2*len(e.sound.Wide) + len(e.key) }

func newSoundCache(limit int) *soundCache {
	return &soundCache{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

func (k *soundCache) getSound(key string) (SpokenSound, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, found := k.byKey[key]
	if !found {
		return SpokenSound{}, false
	}
	k.order.MoveToFront(e)
	return e.Value.(*cacheEntry).sound, true
}

func (k *soundCache) putSound(key string, s SpokenSound) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e, found := k.byKey[key]; found {
		k.evictEntry(e)
	}
	e := &cacheEntry{key, s}
	k.byKey[key] = k.order.PushFront(e)
	k.bytes += e.byteSize()
	for k.bytes > k.limit {
		k.evictEntry(k.order.Back())
	}
}

func (k *soundCache) evictEntry(e *list.Element) {
	gone := k.order.Remove(e).(*cacheEntry)
	delete(k.byKey, gone.key)
	k.bytes -= gone.byteSize()
}
