package record

import (
	"sync"

	"munadi/store"
)

// WatcherSet holds the subscribers to changes of a store.
type WatcherSet struct {
	mu      sync.Mutex
	waiting map[store.ChangeKind]map[chan struct{}]struct{}
}

// WatchKind subscribes to changes of a kind; see [store.ChangeWatcher].
func (w *WatcherSet) WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func()) {
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

// WakeWatchers puts a token into the channel of every subscriber of one of the kinds, unless one is pending.
func (w *WatcherSet) WakeWatchers(kinds []store.ChangeKind) {
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
