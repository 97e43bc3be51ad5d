// Package watchdog sends keep-alives to the service manager's watchdog while the database answers and the scheduler
// runs.
package watchdog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"munadi/appliance/monitor/systemd"
)

const (
	// stuckAfter is how old the scheduler's last round may be before the watchdog reports it as stuck: it runs every
	// 30 s at least, and a round takes a second.
	stuckAfter = 90 * time.Second
	// queryTimeout is the timeout for a small database query.
	queryTimeout = 20 * time.Second
)

// Watchdog detects faults that only a restart can repair.
type Watchdog struct {
	// QueryDatabase makes a small query.
	QueryDatabase func(ctx context.Context) error
	// Log is the logger.
	Log *slog.Logger

	lastRound atomic.Pointer[time.Time]
}

// RecordRound records that the scheduler finished a round, successful or not.
func (w *Watchdog) RecordRound() {
	now := time.Now() // monotonic: setting the clock does not matter
	w.lastRound.Store(&now)
}

// checkAlive returns an error for a fault that only a restart can repair: the database does not answer, or the
// scheduler is stuck. Faults that the appliance reports itself (a full disk, a failing worker) are not included.
func (w *Watchdog) checkAlive(ctx context.Context) error {
	if last := w.lastRound.Load(); last != nil && time.Since(*last) > stuckAfter {
		return fmt.Errorf("the scheduler is stuck since %s", last.Format(time.RFC3339))
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- w.QueryDatabase(ctx) }()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
		return errors.New("the database does not answer")
	}
}

// SendKeepAlives sends keep-alives to the service manager's watchdog (sd_notify WATCHDOG=1) while the checks pass,
// until ctx ends. Without them the manager restarts the service.
func (w *Watchdog) SendKeepAlives(ctx context.Context, manager systemd.ServiceManager) error {
	within := manager.WatchdogInterval()
	if within == 0 {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(within / 4)
	defer tick.Stop()
	for {
		if err := w.checkAlive(ctx); ctx.Err() == nil {
			if err != nil {
				w.Log.Error("no keep-alive is sent to the service manager's watchdog, which will restart the service", "err", err)
			} else if err := manager.NotifyState(systemd.Alive, ""); err != nil {
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
