package postgres

import (
	"context"
	"time"
)

// silentTime is how long the lease of another appliance must not have been renewed, by this appliance's clock, before
// it counts as dead: six renewals.
const silentTime = 30 * time.Second

// leaseWatch is what an appliance has seen of the leases, by its own monotonic clock. The database's clock alone
// decides nothing: when it is set forward, leases of appliances that live look expired, and when it is set back, those
// of dead ones seem to last.
type leaseWatch struct {
	held time.Time // since when the own lease has not expired; zero: it has not been renewed
	seen map[string]seenLease
}

// seenLease is when the deadline of another appliance was first seen as it is.
type seenLease struct {
	deadline, at time.Time
}

func newLeaseWatch() *leaseWatch { return &leaseWatch{seen: map[string]seenLease{}} }

// noteRenewal records a renewal of the own lease; begun says that it had expired before.
func (w *leaseWatch) noteRenewal(begun bool) {
	if begun || w.held.IsZero() {
		w.held = time.Now()
	}
}

// silentOwners lists the appliances whose leases have not been renewed for [silentTime]. May is false while the own
// lease has lasted no longer than a lease does: after an interruption of the whole database all leases have expired,
// and their owners live.
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
