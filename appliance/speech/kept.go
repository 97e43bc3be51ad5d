package speech

import (
	"container/list"
	"sync"
)

// kept holds the sounds that were used last, up to so many bytes.
type kept struct {
	mu    sync.Mutex
	limit int
	bytes int
	order *list.List // of *entry, the last used first
	byKey map[string]*list.Element
}

type entry struct {
	key   string
	sound Sound
}

func (e *entry) bytes() int { return 2*len(e.sound.PCM) + len(e.key) }

func newKept(limit int) *kept {
	return &kept{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

func (k *kept) get(key string) (Sound, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, found := k.byKey[key]
	if !found {
		return Sound{}, false
	}
	k.order.MoveToFront(e)
	return e.Value.(*entry).sound, true
}

func (k *kept) put(key string, s Sound) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e, found := k.byKey[key]; found {
		k.drop(e)
	}
	e := &entry{key, s}
	k.byKey[key] = k.order.PushFront(e)
	k.bytes += e.bytes()
	for k.bytes > k.limit {
		k.drop(k.order.Back())
	}
}

func (k *kept) drop(e *list.Element) {
	gone := k.order.Remove(e).(*entry)
	delete(k.byKey, gone.key)
	k.bytes -= gone.bytes()
}
