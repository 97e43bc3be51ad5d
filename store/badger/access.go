package badger

import (
	"context"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// errClosed answers a call after Close.
func errClosed() error { return store.Errorf(store.CodeClosed, "the store is closed") }

// readSnapshot runs f on a snapshot.
func (s *BadgerStore) readSnapshot(ctx context.Context, f func(snapshotView) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.db.View(func(txn *badgerdb.Txn) error { return f(snapshotView{txn, s.unreadable}) })
}

// submitCommand hands the committer a command and waits for its outcome. ctx counts until the command is handed over; after
// that the outcome is worth the wait, since it happens anyway.
func (s *BadgerStore) submitCommand(ctx context.Context, decide func(snapshotView, *changeSet) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	cmd := &writeCommand{decide: decide, done: make(chan struct{})}
	select {
	case s.committer.commands <- cmd:
	case <-ctx.Done():
		return ctx.Err()
	}
	<-cmd.done
	return cmd.err
}
