package badger

import (
	"sync"

	"munadi/store"
)

// watcherSet holds the subscribers to changes.
type watcherSet struct {
	mu      sync.Mutex
	waiting map[store.ChangeKind]map[chan struct{}]struct{}
}

// WatchKind implements [store.ChangeWatcher].
func (s *BadgerStore) WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func()) {
	w := &s.committer.watchers
	token := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[store.ChangeKind]map[chan struct{}]struct{}{}
	}
	if w.waiting[kind] == nil {
		w.waiting[kind] = map[chan struct{}]struct{}{}
	}
	w.waiting[kind][token] = struct{}{}
	return token, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.waiting[kind], token)
	}
}

// wakeWatchers puts a token into the channel of every subscriber of one of the kinds, unless one is pending.
func (w *watcherSet) wakeWatchers(kinds []store.ChangeKind) {
	if len(kinds) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, kind := range kinds {
		for token := range w.waiting[kind] {
			select {
			case token <- struct{}{}:
			default:
			}
		}
	}
}
