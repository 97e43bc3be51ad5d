package postgres

import (
	"context"
	"time"
)

// silentTime is how long the lease of another appliance must not have been renewed, by this appliance's clock, before
// it counts as dead: six renewals.
const silentTime = 30 * time.Second

// leaseWatch observes leases by this appliance's monotonic clock. The database's clock alone is not trusted: if it is
// set forward, leases of running appliances look expired; if it is set back, those of dead ones do not expire.
type leaseWatch struct {
	held time.Time // since when this appliance's lease has been held without interruption; zero: not yet renewed
	seen map[string]seenLease
}

// seenLease is the deadline of another appliance and when it was first seen.
type seenLease struct {
	deadline, at time.Time
}

func newLeaseWatch() *leaseWatch { return &leaseWatch{seen: map[string]seenLease{}} }

// noteRenewal records a renewal of this appliance's lease; begun means that it had expired before.
func (w *leaseWatch) noteRenewal(begun bool) {
	if begun || w.held.IsZero() {
		w.held = time.Now()
	}
}

// silentOwners returns the appliances whose leases have not been renewed for [silentTime]. may is false until this
// appliance has held its lease for [leaseTime]: after an outage of the database all leases have expired, although their
// owners are alive.
func (w *leaseWatch) silentOwners() (silent []string, may bool) {
	silent = []string{}
	for id, one := range w.seen {
		if time.Since(one.at) >= silentTime {
			silent = append(silent, id)
		}
	}
	return silent, !w.held.IsZero() && time.Since(w.held) >= leaseTime
}

// observeLeases records which leases of other appliances were renewed.
func (s *PostgresStore) observeLeases(ctx context.Context, w *leaseWatch) error {
	return s.readRows(ctx, func(e *dbTx) error {
		rows, err := e.query("SELECT id, deadline FROM appliances WHERE id <> $1", e.appliance)
		if err != nil {
			return err
		}
		defer rows.Close()
		before := w.seen
		w.seen = map[string]seenLease{}
		for rows.Next() {
			var id string
			one := seenLease{at: time.Now()}
			if err := rows.Scan(&id, &one.deadline); err != nil {
				return err
			}
			if known, found := before[id]; found && known.deadline.Equal(one.deadline) {
				one = known
			}
			w.seen[id] = one
		}
		return rows.Err()
	})
}
