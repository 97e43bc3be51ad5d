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
	// stuckAfter is how old the scheduler's last look at the due calls may be: it looks every 30 s at least, and a
	// look takes a second.
	stuckAfter = 90 * time.Second
	// answerWithin is how long the database may take to answer a small question.
	answerWithin = 20 * time.Second
)

// schedulerPulse is when the scheduler last finished a look, whatever came of it.
type schedulerPulse struct{ last atomic.Pointer[time.Time] }

func (p *schedulerPulse) recordPass() {
	now := time.Now() // with the monotonic clock: a clock that is set does not matter
	p.last.Store(&now)
}

// checkAlive says what is wrong with the appliance beyond mending by itself: the database does not answer, or the
// scheduler does not turn. Whatever it can report itself (a full disk, a worker that fails) is no such thing.
func (a *Appliance) checkAlive(ctx context.Context) error {
	if last := a.pulse.last.Load(); last != nil && time.Since(*last) > stuckAfter {
		return fmt.Errorf("the scheduler stands still since %s", last.Format(time.RFC3339))
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

// feedWatchdog gives the service manager its signs of life for as long as there are any, until ctx ends. When they stay out,
// the manager restarts the service.
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
				a.log.Error("no sign of life for the service manager", "err", err)
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

// notifyManager sends a state that must not stop anything.
func (a *Appliance) notifyManager(state, sentence string) {
	if err := a.Manager.NotifyState(state, sentence); err != nil {
		a.log.Warn("the service manager was not told", "state", state, "err", err)
	}
}
