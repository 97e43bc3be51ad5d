package queue

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

// WorkPermit is a permit that is held, or lent for a while. It belongs to one goroutine, except for LendPermit's timer.
type WorkPermit struct {
	of     *PermitPool
	ticket *QueueTicket
	ahead  bool // served before other work of its request
	held   bool
	began  time.Time
}

// waitForPermit waits for the permit, or returns ctx's error.
func (u *WorkPermit) waitForPermit(ctx context.Context) error {
	w, q := u.of, u.of.queue
	q.mu.Lock()
	if w.free > 0 {
		w.free--
		u.ticket.key.noteServed()
		u.startCounting()
		q.mu.Unlock()
		return nil
	}
	one := &permitWaiter{u.ticket, u.ahead, make(chan struct{})}
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
func (u *WorkPermit) startCounting() { u.held, u.began = true, time.Now() }

// settleCharge charges the time since the last charge. The lock is held.
func (u *WorkPermit) settleCharge(now time.Time) {
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

// ReleasePermit releases the permit to the next waiter. It is idempotent.
func (u *WorkPermit) ReleasePermit() {
	u.of.queue.mu.Lock()
	defer u.of.queue.mu.Unlock()
	if !u.held {
		return
	}
	u.held = false
	u.settleCharge(time.Now())
	u.of.passPermit()
}

// YieldPermit yields to higher-ranked waiters, if the permit has been held for a time slice. It returns ctx's error
// when ctx has ended; the permit may then be lost, and ReleasePermit does nothing.
func (u *WorkPermit) YieldPermit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := time.Now()
	if now.Sub(u.began) < slice || !u.isOutranked(now) {
		return nil
	}
	u.ReleasePermit()
	return u.waitForPermit(ctx)
}

// isOutranked charges the time and reports whether a higher-ranked request waits.
func (u *WorkPermit) isOutranked(now time.Time) bool {
	q := u.of.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	u.settleCharge(now)
	i := u.of.nextWaiter(now)
	return i >= 0 && compareTickets(u.of.waiting[i].QueueTicket, u.ticket, q.workers, now) < 0
}

// LendPermit runs work that may block on something else, such as a decoder process: if it takes long the permit is
// released, and acquired again afterwards.
func (u *WorkPermit) LendPermit(ctx context.Context, work func() error) error {
	given := make(chan struct{})
	timer := time.AfterFunc(maxReadHold, func() {
		defer close(given)
		u.ReleasePermit()
	})
	err := work()
	if timer.Stop() {
		return err
	}
	<-given // otherwise the timer could release the permit acquired next
	if wait := u.waitForPermit(ctx); err == nil {
		err = wait
	}
	return err
}

// ExchangePermit acquires another kind of permit; while waiting, the held permit is released to others.
func (u *WorkPermit) ExchangePermit(ctx context.Context, other *PermitPool) (*WorkPermit, error) {
	if t := other.tryAcquire(u.ticket); t != nil {
		return t, nil
	}
	u.ReleasePermit()
	t, err := other.AcquirePermit(ctx, u.ticket)
	if err != nil {
		return nil, err
	}
	if err := u.waitForPermit(ctx); err != nil {
		t.ReleasePermit()
		return nil, err
	}
	return t, nil
}
