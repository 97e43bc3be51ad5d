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

// besideResult is the result of work concurrent with the line.
type besideResult[T any] struct {
	value T
	err   error
}

// startBeside runs f concurrently. A panic in a voice or a model fails its answer only.
func startBeside[T any](ctx context.Context, f func(context.Context) (T, error)) <-chan besideResult[T] {
	done := make(chan besideResult[T], 1)
	go func() {
		var r besideResult[T]
		r.err = recovery.RecoverPanic(func() (err error) {
			r.value, err = f(ctx)
			return err
		})
		done <- r
	}()
	return done
}

// runBesideLine runs f concurrently with the line's frames, with a hard deadline in wall-clock time. A result that is
// ready at once, such as cached speech, takes no frames. waiting is called with each frame while f runs.
func runBesideLine[T any](
	ctx context.Context, s *conversationSession, limit time.Duration, waiting func(context.Context) error,
	f func(context.Context) (T, error),
) (none T, _ error) {
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := startBeside(inner, f)
	wait := time.After(clockGrace)
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
		}
		var err error
		if wait, err = s.waitBeside(ctx, waiting); err != nil {
			return none, err
		}
	}
}

// waitBeside reads one frame, which paces the line, and calls waiting, if set. It returns when to go on: at once, or,
// where no line gives the time, after clockGrace.
func (s *conversationSession) waitBeside(
	ctx context.Context, waiting func(context.Context) error,
) (next <-chan time.Time, err error) {
	if s.Timeless {
		next = time.After(clockGrace)
	} else {
		now := make(chan time.Time)
		close(now)
		next, err = now, s.nextFrame(ctx)
	}
	if err == nil && waiting != nil {
		err = waiting(ctx)
	}
	return next, err
}

// reportFault reports a failure after which the conversation continues.
func (s *conversationSession) reportFault(err error) error {
	if s.OnFault != nil {
		s.OnFault(err)
	}
	return &besideError{err}
}
