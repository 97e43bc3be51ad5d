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

// permit is a turn that is held, or lent to others for a while. It belongs to one goroutine, but for lend's timer.
type permit struct {
	of     *permits
	ticket *ticket
	held   bool
	began  time.Time
}

// wait takes the turn, or ctx's error.
func (u *permit) wait(ctx context.Context) error {
	w, q := u.of, u.of.queue
	q.mu.Lock()
	if w.free > 0 {
		w.free--
		u.ticket.key.served()
		u.start()
		q.mu.Unlock()
		return nil
	}
	one := &waiter{u.ticket, make(chan struct{})}
	w.waiting = append(w.waiting, one)
	q.mu.Unlock()
	select {
	case <-one.granted:
		q.mu.Lock()
		u.start()
		q.mu.Unlock()
		return nil
	case <-ctx.Done():
		w.abandon(one)
		return ctx.Err()
	}
}

// start begins to count.
func (u *permit) start() { u.held, u.began = true, time.Now() }

// settle charges what was used since it was last charged. The lock is held.
func (u *permit) settle(now time.Time) {
	if !u.of.charged {
		return
	}
	d := now.Sub(u.began)
	u.began = now
	u.ticket.spent += d
	u.ticket.key.charge(d)
	if u.ticket.priority < Upload {
		u.ticket.key.parent.live.use(d, u.of.queue.workers, now)
	}
}

// release ends the turn and gives it to whoever is next. It is safe to call it twice.
func (u *permit) release() {
	u.of.queue.mu.Lock()
	defer u.of.queue.mu.Unlock()
	if !u.held {
		return
	}
	u.held = false
	u.settle(time.Now())
	u.of.pass()
}

// pause lets those go first who have a better claim to the turn, if it has been held for a slice. It returns ctx's
// error when that has ended; the turn may then be lost, and release does nothing.
func (u *permit) pause(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	now := time.Now()
	if now.Sub(u.began) < slice || !u.outranked(now) {
		return nil
	}
	u.release()
	return u.wait(ctx)
}

// outranked charges the turn and says whether somebody waits who goes first.
func (u *permit) outranked(now time.Time) bool {
	q := u.of.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	u.settle(now)
	i := u.of.next(now)
	return i >= 0 && before(u.of.waiting[i].ticket, u.ticket, q.workers, now) < 0
}

// lend does work that may wait for somebody else, such as a decoder process: the turn is given back when that takes
// long, and taken again afterwards.
func (u *permit) lend(ctx context.Context, work func() error) error {
	timer := time.AfterFunc(stalled, u.release)
	err := work()
	if timer.Stop() {
		return err
	}
	if wait := u.again(ctx); err == nil {
		err = wait
	}
	return err
}

// again takes the turn back unless it is still held.
func (u *permit) again(ctx context.Context) error {
	u.release() // the timer has fired; it may not have come to it yet
	return u.wait(ctx)
}

// exchange takes a turn of another kind; while that is not free, the turn in hand is given to others.
func (u *permit) exchange(ctx context.Context, other *permits) (*permit, error) {
	if t := other.try(u.ticket); t != nil {
		return t, nil
	}
	u.release()
	t, err := other.acquire(ctx, u.ticket)
	if err != nil {
		return nil, err
	}
	if err := u.wait(ctx); err != nil {
		t.release()
		return nil, err
	}
	return t, nil
}
