package conversation

import (
	"context"
	"time"

	"munadi/appliance/recovery"
)

// besideError is a failure of what ran beside the line, its deadline included: the conversation can go on.
type besideError struct{ err error }

func (e *besideError) Error() string { return e.err.Error() }
func (e *besideError) Unwrap() error { return e.err }

// runBesideLine runs f with a hard deadline while the line goes on. The deadline is wall-clock time, since f has no
// other. What is done at once, as with speech that is there already, takes no time of the line. waiting is called
// with each frame that f is waited for.
func runBesideLine[T any](
	ctx context.Context, s *conversationSession, limit time.Duration, waiting func(context.Context) error,
	f func(context.Context) (T, error),
) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = recovery.RecoverPanic(func() (err error) { // a voice or a model that breaks down takes its answer with it
			r.value, err = f(inner)
			return err
		})
		done <- r
	}()
	first := time.NewTimer(grace)
	defer first.Stop()
	wait := first.C
	next := s.nextFrame
	if s.Timeless {
		next = func(context.Context) error { return nil }
	}
	for {
		select {
		case r := <-done:
			if r.err != nil && ctx.Err() == nil {
				return r.value, s.reportFault(r.err)
			}
			return r.value, ctx.Err()
		case <-inner.Done():
			if ctx.Err() != nil {
				return none, ctx.Err()
			}
			return none, s.reportFault(inner.Err())
		case <-wait:
			ended := make(chan time.Time) // from here on the line does not wait
			close(ended)
			wait = ended
			if s.Timeless {
				wait = time.After(grace)
			}
		}
		if err := next(ctx); err != nil {
			return none, err
		}
		if waiting != nil {
			if err := waiting(ctx); err != nil {
				return none, err
			}
		}
	}
}

// reportFault tells the appliance of a failure that the conversation outlives.
func (s *conversationSession) reportFault(err error) error {
	if s.OnFault != nil {
		s.OnFault(err)
	}
	return &besideError{err}
}
