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
	// countRounds is the number of renewals between two looks for campaigns whose people are not counted.
	countRounds = 12
)

// LeaseHolder is what an appliance does with its lease.
type LeaseHolder struct {
	// Describe returns what the appliance does, for [SharedAppliance.Status]; nil: nothing is said.
	Describe func() []byte
	// Rescued is called with the calls of dead appliances that were ended as interrupted. nil: the appliance does not
	// dial, and takes over job callbacks only.
	Rescued func([]call.Call)
}

// KeepLease holds this appliance's lease until ctx ends or the store is closed, and takes over what appliances left
// whose leases have expired. It is for appliances that dial, run jobs or deliver.
func (s *PostgresStore) KeepLease(ctx context.Context, holder LeaseHolder) {
	var failed error
	for round := 0; ; round++ {
		err := s.renewLease(ctx, holder.Describe)
		switch {
		case err != nil && failed == nil:
			s.log.Warn("the lease of this appliance could not be renewed; trying again", "err", err)
		case err == nil && failed != nil:
			s.log.Info("the lease of this appliance is renewed again")
		}
		if failed = err; err == nil && round > 0 {
			s.takeOver(ctx, holder.Rescued)
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
func (s *PostgresStore) renewLease(ctx context.Context, describe func() []byte) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	status := []byte("{}")
	if describe != nil {
		status = describe()
	}
	return s.updateTx(ctx, func(e *dbTx) error {
		return e.exec(`INSERT INTO appliances (id, since, deadline, record) VALUES ($1, now(), now() + $2, $3)
			ON CONFLICT (id) DO UPDATE SET deadline = now() + $2, record = $3,
			since = CASE WHEN appliances.deadline < now() THEN now() ELSE appliances.since END`,
			e.appliance, leaseTime, status)
	})
}

// BeginLease renews the lease once, before anything is claimed.
func (s *PostgresStore) BeginLease(ctx context.Context, describe func() []byte) {
	if err := s.renewLease(ctx, describe); err != nil {
		s.log.Warn("the lease of this appliance could not be renewed; nothing is claimed until it is", "err", err)
	}
}

// checkLease refuses a claim of an appliance whose lease has expired.
func (s *PostgresStore) checkLease(e *dbTx) error {
	if !s.needsLease {
		return nil
	}
	held, err := e.scanRow("SELECT 1 FROM appliances WHERE id = $1 AND deadline > now()", []any{e.appliance}, new(int))
	if err == nil && !held {
		return store.Errorf(store.CodeUnavailable, "this appliance holds no lease in the database, and claims nothing")
	}
	return err
}

// SharedAppliance is an appliance that shares the database.
type SharedAppliance struct {
	ID     string
	Alive  bool          // it holds its lease
	Silent time.Duration // since it was last heard of, by the database's clock
	Status []byte        // what it said of itself then
}

// keepDead is how long an appliance that is gone is still listed.
const keepDead = 7 * 24 * time.Hour

// ListAppliances lists the appliances that share the database, by id: those that were stopped are not in it, those that
// died or lost the database are.
func (s *PostgresStore) ListAppliances(ctx context.Context) (all []SharedAppliance, err error) {
	err = s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT id, deadline > now(), now() - (deadline - $1::interval), record FROM appliances "+
			"WHERE deadline > now() - $2::interval ORDER BY id", leaseTime, keepDead)
		if err != nil {
			return err
		}
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[SharedAppliance])
		return err
	})
	return all, err
}

// endLease gives the lease back, so that others need not wait for its deadline.
func (s *PostgresStore) endLease(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	_, err := s.deleteRows(ctx, "DELETE FROM appliances WHERE id = $1", s.appliance)
	if err != nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Debug("the lease could not be given back; it expires", "err", err)
	}
}

// isDead is the condition that an owner holds no lease. It is only asked by an appliance whose own lease has lasted
// longer than one: after an interruption of the whole database all leases have expired, and their owners live.
const isDead = "owner <> $1 AND NOT EXISTS (SELECT 1 FROM appliances a WHERE a.id = owner AND a.deadline > now()) " +
	"AND EXISTS (SELECT 1 FROM appliances a WHERE a.id = $1 AND a.deadline > now() AND a.since < now() - interval '40 s')"

// takeOver ends the calls of dead appliances as interrupted and adopts what else they owned.
func (s *PostgresStore) takeOver(ctx context.Context, rescued func([]call.Call)) {
	adopted := map[string]string{"jobs": "callback IS NOT NULL"}
	var err error
	if rescued != nil {
		adopted["campaigns"], adopted["deliveries"] = "status IN ('running', 'paused')", "state = 'pending'"
		err = s.rescueDead(ctx, rescued)
	}
	if err == nil && s.sharesUploads {
		err = s.requeueDead(ctx)
	}
	if err == nil {
		err = s.adoptRows(ctx, adopted)
	}
	if err == nil {
		err = s.compactTallies(ctx)
	}
	if err != nil && ctx.Err() == nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Warn("what other appliances left could not be taken over; trying again", "err", err)
	}
}

// rescueDead ends the calls of dead appliances as interrupted.
func (s *PostgresStore) rescueDead(ctx context.Context, rescued func([]call.Call)) error {
	ended, err := s.rescueCalls(ctx, time.Now(), isDead, s.appliance)
	if len(ended) > 0 {
		s.log.Warn("calls of an appliance that ended or lost the database were ended as interrupted", "calls", len(ended))
		rescued(ended)
	}
	return err
}

// requeueDead requeues the running jobs of dead appliances whose uploads are in the bucket.
func (s *PostgresStore) requeueDead(ctx context.Context) error {
	requeued, err := s.requeueJobs(ctx, time.Now(), "shared AND "+isDead)
	if len(requeued) > 0 {
		s.log.Warn("transcription jobs of an appliance that ended were queued again", "jobs", len(requeued))
	}
	return err
}

// adoptRows makes this appliance the owner of the rows of dead ones: those of each table that fit its condition. Jobs
// whose uploads are in no bucket wait for their own appliance, which has them.
func (s *PostgresStore) adoptRows(ctx context.Context, tables map[string]string) error {
	adopted := 0
	err := s.updateTx(ctx, func(e *dbTx) error {
		adopted = 0
		for table, which := range tables {
			n, err := e.execCount("UPDATE "+table+" SET owner = $1 WHERE (org, id) IN (SELECT org, id FROM "+table+
				" WHERE "+which+" AND "+isDead+" LIMIT $2 FOR UPDATE SKIP LOCKED)", e.appliance, sweepBatch)
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
