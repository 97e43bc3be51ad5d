package conversation

import (
	"context"
	"time"

	"munadi/appliance/recovery"
)

// besideError is a failure of work concurrent with the line, deadline included; the conversation can continue.
type besideError struct{ err error }

func (e *besideError) Error() string { return e.err.Error() }
func (e *besideError) Unwrap() error { return e.err }

// runBesideLine runs f concurrently with the line's frames, with a hard deadline in wall-clock time. A result that is
// ready at once, such as cached speech, takes no frames. waiting is called with each frame while f runs.
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
		r.err = recovery.RecoverPanic(func() (err error) { // a panic in a voice or a model fails its answer only
			r.value, err = f(inner)
			return err
		})
		done <- r
	}()
	first := time.NewTimer(clockGrace)
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
			ended := make(chan time.Time) // from now on frames are read
			close(ended)
			wait = ended
			if s.Timeless {
				wait = time.After(clockGrace)
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

// reportFault reports a failure after which the conversation continues.
func (s *conversationSession) reportFault(err error) error {
	if s.OnFault != nil {
		s.OnFault(err)
	}
	return &besideError{err}
}
