package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"munadi/store"
	"munadi/store/call"
)

// The lease of an appliance, by the database's clock.
const (
	leaseTime  = 40 * time.Second
	renewPause = 5 * time.Second
	// countRounds is the number of renewals between two checks for campaigns whose people are not counted.
	countRounds = 12
)

// LeaseHolder are the callbacks of an appliance with a lease.
type LeaseHolder struct {
	// Describe returns the status of the appliance, for [SharedAppliance.Status]; nil: none.
	Describe func() []byte
	// Rescued is called with the calls of dead appliances, and of this one, that were ended as interrupted. nil: the
	// appliance does not dial, and takes over job callbacks only.
	Rescued func([]call.Call)
	// HoldsCall reports whether a call has a line of this appliance. nil: its own calls are not checked.
	HoldsCall func(id string) bool
}

// KeepLease holds this appliance's lease until ctx ends or the store is closed, and takes over the work of appliances
// whose leases have expired. It is for appliances that dial, run jobs or deliver.
func (s *PostgresStore) KeepLease(ctx context.Context, holder LeaseHolder) {
	var failed error
	watch := newLeaseWatch()
	for round := 0; ; round++ {
		err := s.renewLease(ctx, holder.Describe, watch)
		switch {
		case err != nil && failed == nil:
			s.log.Warn("the lease of this appliance could not be renewed; trying again", "err", err)
		case err == nil && failed != nil:
			s.log.Info("the lease of this appliance was renewed after failures")
		}
		if failed = err; err == nil && round > 0 {
			s.takeOver(ctx, holder, watch)
		}
		if err == nil && round%countRounds == 1 {
			s.countForOlder(ctx)
		}
		select {
		case <-ctx.Done():
			s.endLease(context.WithoutCancel(ctx))
			return
		case <-s.background.Done():
			return
		case <-time.After(renewPause):
		}
	}
}

// renewLease extends the lease, or begins a new one if it has expired.
func (s *PostgresStore) renewLease(ctx context.Context, describe func() []byte, watch *leaseWatch) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	status := []byte("{}")
	if describe != nil {
		status = describe()
	}
	var begun bool
	err := s.updateTx(ctx, func(e *dbTx) error {
		e.wrote = true
		_, err := e.scanRow(`INSERT INTO appliances (id, since, deadline, record) VALUES ($1, now(), now() + $2, $3)
			ON CONFLICT (id) DO UPDATE SET deadline = now() + $2, record = $3,
			since = CASE WHEN appliances.deadline < now() THEN now() ELSE appliances.since END RETURNING since = now()`,
			[]any{e.appliance, leaseTime, status}, &begun)
		return err
	})
	if err != nil {
		return err
	}
	watch.noteRenewal(begun)
	return s.observeLeases(ctx, watch)
}

// BeginLease renews the lease once, before anything is claimed.
func (s *PostgresStore) BeginLease(ctx context.Context, describe func() []byte) {
	if err := s.renewLease(ctx, describe, newLeaseWatch()); err != nil {
		s.log.Warn("the lease of this appliance could not be renewed; nothing is claimed until it is", "err", err)
	}
}

// checkLease refuses a claim of an appliance whose lease has expired.
func (s *PostgresStore) checkLease(e *dbTx) error {
	if !s.needsLease {
		return nil
	}
	held, err := e.scanRow("SELECT 1 FROM appliances a WHERE id = $1 AND "+isHeld, []any{e.appliance}, new(int))
	if err == nil && !held {
		return store.Errorf(store.CodeUnavailable, "this appliance holds no lease in the database, so it claims no work")
	}
	return err
}

// SharedAppliance is an appliance that shares the database.
type SharedAppliance struct {
	ID     string
	Alive  bool          // it holds its lease
	Silent time.Duration // time since its last heartbeat, by the database's clock
	Status []byte        // its description at that time
}

// keepDead is how long an appliance stays listed after its lease has expired.
const keepDead = 7 * 24 * time.Hour

// ListAppliances lists the appliances that share the database, by id, including those that crashed or lost the
// database, but not those that were stopped.
func (s *PostgresStore) ListAppliances(ctx context.Context) (all []SharedAppliance, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT id, "+isHeld+", greatest(now() - (deadline - $1::interval), interval '0'), record "+
			"FROM appliances a WHERE deadline > now() - $2::interval ORDER BY id", leaseTime, keepDead)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[SharedAppliance])
		return err
	})
	return all, err
}

// endLease deletes the lease, so that others need not wait for it to expire.
func (s *PostgresStore) endLease(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	_, err := s.deleteRows(ctx, "DELETE FROM appliances WHERE id = $1", s.appliance)
	if err != nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Debug("the lease could not be released; it expires", "err", err)
	}
}

// isHeld is the condition that the lease a has not expired. A deadline further ahead than a lease's duration means that
// the database's clock was set back after the last renewal; the slack is for statements of transactions that began
// earlier.
const isHeld = "a.deadline > now() AND a.deadline < now() + interval '50 s'"
