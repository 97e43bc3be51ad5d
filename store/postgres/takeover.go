package postgres

import (
	"context"
	"slices"
	"strings"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/driver"
	"munadi/store/records"
)

// isDead is the condition that an owner is another appliance than this one ($1) and either has no lease, or an expired
// one without a recent heartbeat ($2, see [leaseWatch]).
var isDead = deadOwner("$1", "$2")

// deadOwner is [isDead] with the given placeholders.
func deadOwner(appliance, silent string) string {
	return "owner <> " + appliance + " AND (owner = ANY (" + silent + "::text[]) " +
		"OR NOT EXISTS (SELECT 1 FROM appliances a WHERE a.id = owner)) " +
		"AND NOT EXISTS (SELECT 1 FROM appliances a WHERE a.id = owner AND " + isHeld + ") " +
		"AND EXISTS (SELECT 1 FROM appliances a WHERE a.id = " + appliance + " AND " + isHeld + ")"
}

// takeOver ends the calls of dead appliances as interrupted and takes over their other work.
func (s *PostgresStore) takeOver(ctx context.Context, holder LeaseHolder, watch *leaseWatch) {
	err := s.rescueLost(ctx, holder)
	if err == nil {
		err = s.compactCounts(ctx)
	}
	if silent, may := watch.silentOwners(); err == nil && may {
		err = s.takeOverDead(ctx, holder, silent)
	}
	if err != nil && ctx.Err() == nil && store.CodeOf(err) != store.CodeClosed {
		s.log.Warn("the work of dead appliances could not be taken over; trying again", "err", err)
	}
}

// takeOverDead takes over the work of dead appliances; silent are those without a recent heartbeat.
func (s *PostgresStore) takeOverDead(ctx context.Context, holder LeaseHolder, silent []string) (err error) {
	adopted := map[string]string{"jobs": "callback IS NOT NULL", "event_deliveries": "state = 'pending'"}
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
	ended, err := records.NewRecords(storeDriver{s, silent}).RescueDead(ctx, time.Now())
	if len(ended) > 0 {
		s.log.Warn("calls of an appliance that crashed or lost the database were ended as interrupted", "calls", len(ended))
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
	ended, err := s.RescueLost(ctx, holder.HoldsCall, time.Now())
	if len(ended) > 0 {
		s.log.Warn("calls whose release got no answer were ended as interrupted", "calls", len(ended))
		holder.Rescued(ended)
	}
	return err
}

// requeueDead requeues the running jobs of dead appliances whose uploads are in the bucket.
func (s *PostgresStore) requeueDead(ctx context.Context, silent []string) error {
	requeued, err := records.NewRecords(storeDriver{s, silent}).RequeueDead(ctx, time.Now())
	if len(requeued) > 0 {
		s.log.Warn("transcription jobs of a dead appliance were requeued", "jobs", len(requeued))
	}
	return err
}

// tableNamed returns the table of a name.
func tableNamed(name string) *driver.Table {
	all := records.ListTables()
	return all[slices.IndexFunc(all, func(t *driver.Table) bool { return t.Name == name })]
}

// adoptRows makes this appliance the owner of the rows of dead ones that meet each table's condition. Jobs whose
// uploads are not in a bucket stay with their appliance, whose disk has the uploads.
func (s *PostgresStore) adoptRows(ctx context.Context, tables map[string]string, silent []string) error {
	adopted := 0
	err := s.updateTx(ctx, func(e *dbTx) error {
		adopted = 0
		for table, which := range tables {
			key := "(" + strings.Join(tableNamed(table).Key, ", ") + ")"
			n, err := e.execCount("UPDATE "+table+" SET owner = $1 WHERE "+key+" IN (SELECT "+key[1:len(key)-1]+" FROM "+table+
				" WHERE "+which+" AND "+isDead+" LIMIT $3 FOR UPDATE SKIP LOCKED)", e.appliance, silent, sweepBatch)
			if err != nil {
				return err
			}
			adopted += n
		}
		if adopted > 0 {
			e.touchKind(store.CallsChanged)
			e.touchKind(store.OutboxChanged)
			e.touchKind(store.EventsChanged)
			e.touchKind(store.CallbacksChanged)
		}
		e.queueWrite("DELETE FROM appliances WHERE deadline < now() - $1::interval", keepDead)
		return e.exec("DELETE FROM commits WHERE at < now() - interval '15 min'")
	})
	if adopted > 0 && err == nil {
		s.log.Warn("campaigns, deliveries and callbacks of another appliance were taken over", "count", adopted)
	}
	return err
}
