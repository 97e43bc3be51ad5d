package badger

import (
	"munadi/store"
)

// WatchKind implements [store.ChangeWatcher].
func (s *BadgerStore) WatchKind(kind store.ChangeKind) (woken <-chan struct{}, stop func()) {
	return s.committer.watchers.WatchKind(kind)
}
