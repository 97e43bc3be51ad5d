package appliance

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"munadi/appliance/systemd"
)

const (
	// stuckAfter is how old the scheduler's last round may be before the watchdog reports it as stuck: it runs every
	// 30 s at least, and a round takes a second.
	stuckAfter = 90 * time.Second
	// answerWithin is the timeout for a small database query.
	answerWithin = 20 * time.Second
)

// schedulerPulse is the time at which the scheduler last finished a round, successful or not.
type schedulerPulse struct{ last atomic.Pointer[time.Time] }

func (p *schedulerPulse) recordPass() {
	now := time.Now() // monotonic: setting the clock does not matter
	p.last.Store(&now)
}

// checkAlive returns an error for what only a restart can repair: the database does not answer, or the scheduler is
// stuck. What the appliance reports itself (a full disk, a failing worker) is not included.
func (a *Appliance) checkAlive(ctx context.Context) error {
	if last := a.pulse.last.Load(); last != nil && time.Since(*last) > stuckAfter {
		return fmt.Errorf("the scheduler is stuck since %s", last.Format(time.RFC3339))
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	answered := make(chan error, 1)
	go func() {
		_, err := a.store.ListOrganizations(ctx)
		answered <- err
	}()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
		return errors.New("the database does not answer")
	}
}

// feedWatchdog sends keep-alives to the service manager's watchdog (sd_notify WATCHDOG=1) while checkAlive passes,
// until ctx ends. Without them the manager restarts the service.
func (a *Appliance) feedWatchdog(ctx context.Context) error {
	within := a.Manager.WatchdogInterval()
	if within == 0 {
		<-ctx.Done()
		return nil
	}
	tick := time.NewTicker(within / 4)
	defer tick.Stop()
	for {
		if err := a.checkAlive(ctx); ctx.Err() == nil {
			if err != nil {
				a.log.Error("no keep-alive is sent to the service manager's watchdog", "err", err)
			} else if err := a.Manager.NotifyState(systemd.Alive, ""); err != nil {
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

// notifyManager sends a state to the service manager; an error is logged only.
func (a *Appliance) notifyManager(state, sentence string) {
	if err := a.Manager.NotifyState(state, sentence); err != nil {
		a.log.Warn("the service manager could not be notified", "state", state, "err", err)
	}
}
