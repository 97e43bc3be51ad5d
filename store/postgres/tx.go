package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"munadi/store"
	"munadi/store/record"
)

// querier is a transaction or the pool.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// dbTx is the transaction of one method. Reads see its own queued writes.
type dbTx struct {
	store     *PostgresStore
	ctx       context.Context
	db        querier
	appliance string
	silent    []string // other appliances without a recent heartbeat
	queue     writeQueue
	loaded    loadedRecords
	kinds     []store.ChangeKind // to announce after the commit
	wrote     bool
	err       error // the first record that could not be encoded

	unreadable *record.UnreadableLog
	report     *store.DamageReport // of the caller's context

	lane *takenLane // nil: none yet
}

// newTx returns the transaction of a method.
func (s *PostgresStore) newTx(ctx context.Context, db querier) *dbTx {
	return &dbTx{
		store: s, ctx: ctx, db: db, appliance: s.appliance, unreadable: s.unreadable, report: store.DamageReportOf(ctx),
	}
}

// touchKind notifies the watchers of kind after the commit.
func (e *dbTx) touchKind(kind store.ChangeKind) { e.kinds = append(e.kinds, kind) }

// sendQueued sends the queued statements (pipelining).
func (e *dbTx) sendQueued() error {
	if e.err != nil || len(e.queue.writes) == 0 {
		return e.err
	}
	batch := e.queue.batch()
	e.queue = writeQueue{}
	return e.db.SendBatch(e.ctx, batch).Close()
}

// query sends the queued statements and then the query.
func (e *dbTx) query(sql string, args ...any) (pgx.Rows, error) {
	if err := e.sendQueued(); err != nil {
		return nil, err
	}
	return e.db.Query(e.ctx, sql, args...)
}

// scanRow reads the columns of the first row; false without one.
func (e *dbTx) scanRow(sql string, args []any, to ...any) (bool, error) {
	rows, err := e.query(sql, args...)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	if !rows.Next() {
		return false, rows.Err()
	}
	if err := rows.Scan(to...); err != nil {
		return false, err
	}
	rows.Close()
	return true, rows.Err()
}

// exec runs a statement.
func (e *dbTx) exec(sql string, args ...any) error {
	_, err := e.execCount(sql, args...)
	return err
}

// execCount runs a statement that writes and returns the number of changed rows.
func (e *dbTx) execCount(sql string, args ...any) (int, error) {
	e.wrote = true
	rows, err := e.query(sql, args...)
	if err != nil {
		return 0, err
	}
	rows.Close()
	return int(rows.CommandTag().RowsAffected()), rows.Err()
}

// readRows runs f without a transaction: each statement sees the rows committed before it began.
func (s *PostgresStore) readRows(ctx context.Context, f func(*dbTx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return translateError(f(s.newTx(ctx, s.pool)))
}

// checkOpen refuses calls after Close and under an ended context.
func (s *PostgresStore) checkOpen(ctx context.Context) error {
	if s.closed {
		return store.Errorf(store.CodeClosed, "the store is closed")
	}
	return ctx.Err()
}

// maxRuns is the maximum number of runs of a transaction with serialization failures or deadlocks.
const maxRuns = 10

// errAgain means that the transaction was rolled back and must be repeated.
var errAgain = errors.New("the transaction was rolled back")

// updateTx runs f in a transaction and commits it. f is called again when the transaction was rolled back because of a
// concurrent one.
func (s *PostgresStore) updateTx(ctx context.Context, f func(*dbTx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.checkOpen(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	for run := 1; ; run++ {
		err := s.runTx(ctx, f)
		if !isRolledBack(err) || run == maxRuns {
			return translateError(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(rand.IntN(10*run)+1) * time.Millisecond):
		}
	}
}

// runTx runs f in one transaction.
func (s *PostgresStore) runTx(ctx context.Context, f func(*dbTx) error) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() {
		rolling, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
		defer cancel()
		_ = tx.Rollback(rolling) // a no-op after a commit
	}()
	e, committed := s.newTx(ctx, tx), false
	defer func() { s.lanes.release(e.lane, committed) }()
	if err := f(e); err != nil {
		return err
	}
	if err := s.commitTx(e, tx); err != nil {
		return err
	}
	committed = true
	s.announceChanges(e.kinds)
	return nil
}

// commitTx commits a transaction under a unique id. Cancelling the caller's context does not interrupt it.
func (s *PostgresStore) commitTx(e *dbTx, tx pgx.Tx) error {
	if e.err != nil {
		return e.err
	}
	if !e.wrote {
		return tx.Commit(e.ctx)
	}
	id := uuid.New()
	e.queueWrite("INSERT INTO commits (id) VALUES ($1)", id)
	if err := e.sendQueued(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.ctx), callTimeout)
	defer cancel()
	err := tx.Commit(ctx)
	var refused *pgconn.PgError
	if err == nil || errors.Is(err, pgx.ErrTxCommitRollback) ||
		errors.As(err, &refused) && refused.Severity == "ERROR" {
		return err
	}
	return s.settleCommit(ctx, id)
}

// settleCommit finds out whether a transaction with a lost answer was committed: nil if it was, [errAgain] if it was
// not and never will be. It inserts the transaction's id itself: the server blocks that while the lost transaction is
// in progress, refuses it if that one was committed, and otherwise prevents it from committing.
func (s *PostgresStore) settleCommit(ctx context.Context, id uuid.UUID) error {
	for {
		tag, err := s.pool.Exec(ctx, "INSERT INTO commits (id) VALUES ($1) ON CONFLICT DO NOTHING", id)
		switch {
		case err == nil && tag.RowsAffected() == 0:
			return nil
		case err == nil:
			return errAgain
		}
		select {
		case <-ctx.Done():
			return &store.Error{
				Code: store.CodeUnavailable, Message: "the database became unreachable during a commit, and the outcome is unknown",
				Err: err,
			}
		case <-time.After(settlePause):
		}
	}
}

// settlePause is the time between two queries about a lost commit.
const settlePause = 300 * time.Millisecond

// deleteRows runs one deletion and returns the number of deleted rows.
func (s *PostgresStore) deleteRows(ctx context.Context, sql string, args ...any) (n int, err error) {
	err = s.updateTx(ctx, func(e *dbTx) (err error) {
		n, err = e.execCount(sql, args...)
		return err
	})
	return n, err
}

// sweepBatch is the number of records in one transaction of a sweep, small so that other transactions are not delayed.
const sweepBatch = 200
