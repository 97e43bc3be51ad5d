package retention

import (
	"context"
	"time"
)

// recordsEvery is the interval at which expired records are deleted.
const recordsEvery = 10 * time.Minute

// RecordStore deletes records that expire by themselves.
type RecordStore interface {
	ExpireSessions(ctx context.Context, now time.Time) (int, error)
	ExpireWebSessions(ctx context.Context, now time.Time) (int, error)
	ExpireOneTimes(ctx context.Context, now time.Time) (int, error)
	ExpireReceipts(ctx context.Context, now time.Time) (int, error)
	ExpireEvents(ctx context.Context, now time.Time) (int, error)
}

// SweepRecords deletes expired sessions and one-time records, idempotency receipts and deliveries of events at its
// start and then every ten minutes, until ctx ends.
func SweepRecords(ctx context.Context, s RecordStore) error {
	tick := time.NewTicker(recordsEvery)
	defer tick.Stop()
	for {
		for _, expire := range []func(context.Context, time.Time) (int, error){
			s.ExpireSessions, s.ExpireWebSessions, s.ExpireOneTimes, s.ExpireReceipts, s.ExpireEvents,
		} {
			if _, err := expire(ctx, time.Now()); err != nil && ctx.Err() == nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
