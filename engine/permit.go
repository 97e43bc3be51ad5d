package engine

import (
	"context"
	"time"
)

const (
	// slice is the time slice: how long a permit is held while higher-ranked work waits, if the work can pause.
	slice = 10 * time.Millisecond
	// maxReadHold is how long a permit is held during a read: a stalled decoder process must not block others.
	maxReadHold = 100 * time.Millisecond
)

// workPermit is a permit that is held, or lent for a while. It belongs to one goroutine, except for lendTurn's timer.
type workPermit struct {
	of     *permitPool
	ticket *queueTicket
	ahead  bool // served before other work of its request
	held   bool
	began  time.Time
}

// waitTurn waits for the permit, or returns ctx's error.
func (u *workPermit) waitTurn(ctx context.Context) error {
	w, q := u.of, u.of.queue
	q.mu.Lock()
	if w.free > 0 {
		w.free--
		u.ticket.key.noteServed()
		u.startCounting()
		q.mu.Unlock()
		return nil
	}
	one := &turnWaiter{u.ticket, u.ahead, make(chan struct{})}
	w.waiting = append(w.waiting, one)
	q.mu.Unlock()
	select {
	case <-one.granted:
		q.mu.Lock()
		u.startCounting()
		q.mu.Unlock()
		return nil
	case <-ctx.Done():
		w.abandonWait(one)
		return ctx.Err()
	}
}

// startCounting starts the time accounting.
func (u *workPermit) startCounting() { u.held, u.began = true, time.Now() }

// settleCharge charges the time since the last charge. The lock is held.
func (u *workPermit) settleCharge(now time.Time) {
	if !u.of.charged {
		return
	}
	d := now.Sub(u.began)
	u.began = now
	u.ticket.spent += d
	u.ticket.key.chargeTime(d)
	u.ticket.noteOverrun()
	if u.ticket.priority < Upload {
		u.ticket.key.parent.live.useCredit(d, u.of.queue.workers, now)
	}
}

// releaseTurn releases the permit to the next waiter. It is idempotent.
func (u *workPermit) releaseTurn() {
	u.of.queue.mu.Lock()
	defer u.of.queue.mu.Unlock()
	if !u.held {
		return
	}
	u.held = false
	u.settleCharge(time.Now())
	u.of.passTurn()
}

// yieldTurn yields to higher-ranked waiters, if the permit has been held for a time slice. It returns ctx's error when
// ctx has ended; the permit may then be lost, and releaseTurn does nothing.
func (u *workPermit) yieldTurn(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := time.Now()
	if now.Sub(u.began) < slice || !u.isOutranked(now) {
		return nil
	}
	u.releaseTurn()
	return u.waitTurn(ctx)
}

// isOutranked charges the time and reports whether a higher-ranked request waits.
func (u *workPermit) isOutranked(now time.Time) bool {
	q := u.of.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	u.settleCharge(now)
	i := u.of.nextWaiter(now)
	return i >= 0 && compareTickets(u.of.waiting[i].queueTicket, u.ticket, q.workers, now) < 0
}

// lendTurn runs work that may block on something else, such as a decoder process: if it takes long the permit is
// released, and acquired again afterwards.
func (u *workPermit) lendTurn(ctx context.Context, work func() error) error {
	given := make(chan struct{})
	timer := time.AfterFunc(maxReadHold, func() {
		defer close(given)
		u.releaseTurn()
	})
	err := work()
	if timer.Stop() {
		return err
	}
	<-given // otherwise the timer could release the permit acquired next
	if wait := u.waitTurn(ctx); err == nil {
		err = wait
	}
	return err
}

// exchangeTurn acquires another kind of permit; while waiting, the held permit is released to others.
func (u *workPermit) exchangeTurn(ctx context.Context, other *permitPool) (*workPermit, error) {
	if t := other.tryAcquire(u.ticket); t != nil {
		return t, nil
	}
	u.releaseTurn()
	t, err := other.acquirePermit(ctx, u.ticket)
	if err != nil {
		return nil, err
	}
	if err := u.waitTurn(ctx); err != nil {
		t.releaseTurn()
		return nil, err
	}
	return t, nil
}
