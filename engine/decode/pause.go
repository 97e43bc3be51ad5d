package decode

import "context"

type pauseKey struct{}

// WithPause returns a context with which every search calls pause between two of its steps, instead of checking the
// context: the caller may yield to work of higher priority in it (cooperative scheduling). An error of pause ends the
// search.
func WithPause(ctx context.Context, pause func(context.Context) error) context.Context {
	return context.WithValue(ctx, pauseKey{}, pause)
}

// yieldTurn is called between two steps of a search.
func yieldTurn(ctx context.Context) error {
	if pause, ok := ctx.Value(pauseKey{}).(func(context.Context) error); ok {
		return pause(ctx)
	}
	return ctx.Err()
}
