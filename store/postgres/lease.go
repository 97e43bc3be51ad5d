package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"munadi/store"
	"munadi/store/call"
)

// The lease of an appliance, by the database's clock.
const (
	leaseTime  = 40 * time.Second
	renewPause = 5 * time.Second
	// countRounds is the number of renewals between two searches for campaigns whose people are not counted.
	countRounds = 12
)

// LeaseHolder holds the callbacks of an appliance with a lease.
type LeaseHolder struct {
	// Describe returns the status of the appliance, for [SharedAppliance.Status]; nil: none.
	Describe func() []byte
	// Rescued is called with the calls of dead appliances, and of this one, that were ended as interrupted. nil: the
	// appliance does not dial, and takes over job callbacks only.
	Rescued func([]call.Call)
	// HoldsCall reports whether a call has a line of this appliance. nil: its own calls are not looked through.
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
			s.log.Info("the lease of this appliance is renewed again")
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

// renewLease extends the lease. One that had expired begins again.
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
		return store.Errorf(store.CodeUnavailable, "this appliance holds no lease in the database, and claims nothing")
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

// keepDead is how long an appliance that is gone is still listed.
const keepDead = 7 * 24 * time.Hour

// ListAppliances lists the appliances that share the database, by id: those that were stopped are not in it, those that
// died or lost the database are.
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

// endLease ends the lease, so that others need not wait for its deadline.
func (s *PostgresStore) endLease(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	_, err := s.deleteRows(ctx, "DELETE FROM appliances WHERE id = $1", s.appliance)
	if err != nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Debug("the lease could not be given back; it expires", "err", err)
	}
}

// isHeld is the condition that the lease a has not expired. A deadline further ahead than a lease's duration means that
// the database's clock was set back after the last renewal; the slack is for statements of transactions that began
// earlier.
const isHeld = "a.deadline > now() AND a.deadline < now() + interval '50 s'"

// isDead is the condition that an owner is another appliance than this one, $2, and either was silent for a while ($3,
// see [leaseWatch]) and its lease has expired, or it has no lease.
const isDead = "owner <> $2 AND (owner = ANY ($3::text[]) " +
	"OR NOT EXISTS (SELECT 1 FROM appliances a WHERE a.id = owner)) " +
	"AND NOT EXISTS (SELECT 1 FROM appliances a WHERE a.id = owner AND " + isHeld + ") " +
	"AND EXISTS (SELECT 1 FROM appliances a WHERE a.id = $2 AND " + isHeld + ")"

// takeOver ends the calls of dead appliances as interrupted and adopts their other work.
func (s *PostgresStore) takeOver(ctx context.Context, holder LeaseHolder, watch *leaseWatch) {
	err := s.rescueLost(ctx, holder)
	if err == nil {
		err = s.compactTallies(ctx)
	}
	if silent, may := watch.silentOwners(); err == nil && may {
		err = s.takeOverDead(ctx, holder, silent)
	}
	if err != nil && ctx.Err() == nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Warn("what other appliances left could not be taken over; trying again", "err", err)
	}
}

// takeOverDead takes over from dead appliances; silent are those without a recent heartbeat.
func (s *PostgresStore) takeOverDead(ctx context.Context, holder LeaseHolder, silent []string) (err error) {
	adopted := map[string]string{"jobs": "callback IS NOT NULL"}
	if holder.Rescued != nil {
		adopted["campaigns"], adopted["deliveries"] = "status IN ('running', 'paused')", "state = 'pending'"
		err = s.rescueDead(ctx, holder.Rescued, silent)
	}
	if err == nil && s.sharesUploads {
		err = s.requeueDead(ctx, silent)
	}
	if err == nil {
		err = s.adoptRows(ctx, adopted, silent)
	}
	return err
}

// rescueDead ends the calls of dead appliances as interrupted.
func (s *PostgresStore) rescueDead(ctx context.Context, rescued func([]call.Call), silent []string) error {
	ended, err := s.rescueCalls(ctx, time.Now(), nil, isDead, s.appliance, silent)
	if len(ended) > 0 {
		s.log.Warn("calls of an appliance that ended or lost the database were ended as interrupted", "calls", len(ended))
		rescued(ended)
	}
	return err
}

// rescueLost ends the calls that this appliance owns without a line: their release was committed, but the answer was
// lost and the database was unreachable for longer than the retries.
func (s *PostgresStore) rescueLost(ctx context.Context, holder LeaseHolder) error {
	if holder.HoldsCall == nil || holder.Rescued == nil {
		return nil
	}
	var lost []string
	err := s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT id FROM calls WHERE status IN ('dialing', 'in_progress') AND owner = $1", e.appliance)
		if err == nil {
			lost, err = collectText(rows)
		}
		lost = slices.DeleteFunc(lost, holder.HoldsCall)
		return err
	})
	if err != nil || len(lost) == 0 {
		return err
	}
	ended, err := s.rescueCalls(ctx, time.Now(), holder.HoldsCall, "owner = $2 AND id = ANY ($3)", s.appliance, lost)
	if len(ended) > 0 {
		s.log.Warn("calls whose release was not learnt of were ended as interrupted", "calls", len(ended))
		holder.Rescued(ended)
	}
	return err
}

// requeueDead requeues the running jobs of dead appliances whose uploads are in the bucket.
func (s *PostgresStore) requeueDead(ctx context.Context, silent []string) error {
	requeued, err := s.requeueJobs(ctx, time.Now(), "shared AND "+isDead, s.appliance, silent)
	if len(requeued) > 0 {
		s.log.Warn("transcription jobs of an appliance that ended were queued again", "jobs", len(requeued))
	}
	return err
}

// adoptRows makes this appliance the owner of the rows of dead ones that meet each table's condition. Jobs whose
// uploads are in no bucket wait for their own appliance, which has them.
func (s *PostgresStore) adoptRows(ctx context.Context, tables map[string]string, silent []string) error {
	adopted := 0
	err := s.updateTx(ctx, func(e *dbTx) error {
		adopted = 0
		for table, which := range tables {
			n, err := e.execCount("UPDATE "+table+" SET owner = $2 WHERE (org, id) IN (SELECT org, id FROM "+table+
				" WHERE "+which+" AND "+isDead+" LIMIT $1 FOR UPDATE SKIP LOCKED)", sweepBatch, e.appliance, silent)
			if err != nil {
				return err
			}
			adopted += n
		}
		if adopted > 0 {
			e.touchKind(store.CallsChanged)
			e.touchKind(store.OutboxChanged)
			e.touchKind(store.CallbackOwed)
		}
		e.queueWrite("DELETE FROM appliances WHERE deadline < now() - $1::interval", keepDead)
		return e.exec("DELETE FROM commits WHERE at < now() - interval '15 min'")
	})
	if adopted > 0 && err == nil {
		s.log.Warn("campaigns, deliveries and callbacks of another appliance were taken over", "count", adopted)
	}
	return err
}
