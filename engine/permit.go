package engine

import (
	"context"
	"time"
)

const (
	// slice is how long a turn is held while others wait that go first, where the work can pause.
	slice = 10 * time.Millisecond
	// stalled is how long a turn is held by reading: a decoder process that hangs must not keep others waiting.
	stalled = 100 * time.Millisecond
)

// workPermit is a turn that is held, or lent to others for a while. It belongs to one goroutine, but for lend's timer.
type workPermit struct {
	of     *permitPool
	ticket *queueTicket
	held   bool
	began  time.Time
}

// waitTurn takes the turn, or ctx's error.
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
	one := &turnWaiter{u.ticket, make(chan struct{})}
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

// startCounting begins to count.
func (u *workPermit) startCounting() { u.held, u.began = true, time.Now() }

// settleCharge charges what was used since it was last charged. The lock is held.
func (u *workPermit) settleCharge(now time.Time) {
	if !u.of.charged {
		return
	}
	d := now.Sub(u.began)
	u.began = now
	u.ticket.spent += d
	u.ticket.key.chargeTime(d)
	if u.ticket.priority < Upload {
		u.ticket.key.parent.live.useCredit(d, u.of.queue.workers, now)
	}
}

// releaseTurn ends the turn and gives it to whoever is next. It is safe to call it twice.
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

// yieldTurn lets those go first who have a better claim to the turn, if it has been held for a slice. It returns ctx's
// error when that has ended; the turn may then be lost, and release does nothing.
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

// isOutranked charges the turn and says whether somebody waits who goes first.
func (u *workPermit) isOutranked(now time.Time) bool {
	q := u.of.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	u.settleCharge(now)
	i := u.of.nextWaiter(now)
	return i >= 0 && compareTickets(u.of.waiting[i].queueTicket, u.ticket, q.workers, now) < 0
}

// lendTurn does work that may wait for somebody else, such as a decoder process: the turn is given back when that takes
// long, and taken again afterwards.
func (u *workPermit) lendTurn(ctx context.Context, work func() error) error {
	timer := time.AfterFunc(stalled, u.releaseTurn)
	err := work()
	if timer.Stop() {
		return err
	}
	if wait := u.takeBack(ctx); err == nil {
		err = wait
	}
	return err
}

// takeBack takes the turn back unless it is still held.
func (u *workPermit) takeBack(ctx context.Context) error {
	u.releaseTurn() // the timer has fired; it may not have come to it yet
	return u.waitTurn(ctx)
}

// exchangeTurn takes a turn of another kind; while that is not free, the turn in hand is given to others.
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
