package decode

import "context"

type pauseKey struct{}

// WithPause returns a context with which every search calls pause between two of its steps, instead of asking whether
// the context has ended: the caller lets other work go first in it. An error of pause ends the search.
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
