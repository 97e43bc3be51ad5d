package badger

import (
	"context"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
)

// errClosed is the error of any call after Close.
func errClosed() error { return store.Errorf(store.CodeClosed, "the store is closed") }

// readSnapshot runs f in a read-only transaction on a consistent snapshot.
func (s *BadgerStore) readSnapshot(ctx context.Context, f func(snapshotView) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	report := store.DamageReportOf(ctx)
	return s.db.View(func(txn *badgerdb.Txn) error { return f(snapshotView{txn, s.unreadable, report}) })
}

// submitCommand queues a write command for the group commit and waits for its outcome. ctx is only observed until the
// command is queued; after that it is executed in any case, so the caller waits for the result.
func (s *BadgerStore) submitCommand(ctx context.Context, decide func(snapshotView, *changeSet) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return errClosed()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	cmd := &writeCommand{decide: decide, report: store.DamageReportOf(ctx), done: make(chan struct{})}
	select {
	case s.committer.commands <- cmd:
	case <-ctx.Done():
		return ctx.Err()
	}
	<-cmd.done
	return cmd.err
}
