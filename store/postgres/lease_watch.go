package postgres

import (
	"context"
	"time"
)

// silentTime is how long the lease of another appliance must not have been renewed, by this appliance's clock, before
// it counts as dead: six renewals.
const silentTime = 30 * time.Second

// leaseWatch observes leases by this appliance's monotonic clock. The database's clock alone is not trusted: set
// forward, it makes leases of living appliances look expired; set back, it makes those of dead ones last.
type leaseWatch struct {
	held time.Time // since when the own lease has not expired; zero: it has not been renewed
	seen map[string]seenLease
}

// seenLease is when the deadline of another appliance was first seen as it is.
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
// appliance's lease has lasted longer than a lease's duration: after an outage of the whole database all leases have
// expired though their owners are alive.
func (w *leaseWatch) silentOwners() (silent []string, may bool) {
	silent = []string{}
	for id, one := range w.seen {
		if time.Since(one.at) >= silentTime {
			silent = append(silent, id)
		}
	}
	return silent, !w.held.IsZero() && time.Since(w.held) >= leaseTime
}

// observeLeases looks which leases of other appliances were renewed.
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
