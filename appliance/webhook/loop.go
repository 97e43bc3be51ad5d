package webhook

import (
	"context"
	"time"
)

const lookAgain = 15 * time.Second // polling interval without a notification

// attemptLoop runs the attempts of an outbox. All its functions are called by the goroutine of run; attempts run in
// goroutines of their own and send their end to ended, whose buffer holds all of them.
type attemptLoop[V any] struct {
	// launch starts the due attempts that have a free slot, and returns when the next is due; zero if that is unknown.
	// stop is run's context, tries that of the attempts.
	launch   func(stop, tries context.Context) (next time.Time, err error)
	ended    chan V
	settle   func(V) // frees the slot of an attempt that has ended
	inFlight func() int
}

// run starts due attempts until ctx ends or the store fails, then waits for those in flight (graceful shutdown), which
// are cut off after the grace period. It returns nil when ctx ended, or the store's error.
func (l attemptLoop[V]) run(ctx context.Context, woken <-chan struct{}, grace time.Duration) error {
	tries, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	err := l.dispatchTries(ctx, tries, woken)
	late := time.AfterFunc(grace, cut)
	defer late.Stop()
	for l.inFlight() > 0 {
		l.settle(<-l.ended)
	}
	return err
}

// dispatchTries starts due attempts until ctx ends.
func (l attemptLoop[V]) dispatchTries(ctx, tries context.Context, woken <-chan struct{}) error {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	for ctx.Err() == nil {
		next, err := l.launch(ctx, tries)
		if err != nil && ctx.Err() == nil {
			return err
		}
		timer.Reset(pauseUntil(next))
		select {
		case <-ctx.Done():
		case <-woken:
		case v := <-l.ended:
			l.settle(v)
		case <-timer.C:
		}
		for len(l.ended) > 0 {
			l.settle(<-l.ended)
		}
	}
	return nil
}

// pauseUntil returns how long to wait for the next due attempt.
func pauseUntil(next time.Time) time.Duration {
	const least = 50 * time.Millisecond // due attempts without a slot: a freed slot wakes the loop
	if next.IsZero() {
		return lookAgain
	}
	return min(max(time.Until(next), least), lookAgain)
}
