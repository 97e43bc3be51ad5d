package decode

import (
	"context"
)

// WorkBudget limits the work of all searches of one utterance, in joints (evaluations of the joint network). After the
// limit a search continues with its best hypothesis only and at most one label per frame, so that it ends soon. nil is
// unlimited. Not safe for concurrent use.
type WorkBudget struct {
	left  int
	short bool
}

// NewWork returns a budget of n joints.
func NewWork(n int) *WorkBudget { return &WorkBudget{left: n} }

// WasCut reports whether a search was cut short.
func (w *WorkBudget) WasCut() bool { return w != nil && w.short }

// spendJoints spends n joints, and reports whether any are left.
func (w *WorkBudget) spendJoints(n int) bool {
	if w == nil {
		return true
	}
	w.left -= n
	w.short = w.short || w.left <= 0
	return !w.short
}

// hasJoints reports whether n joints are left.
func (w *WorkBudget) hasJoints(n int) bool { return w == nil || n <= w.left }

// noteRefused records that something was skipped because it exceeded the remaining work.
func (w *WorkBudget) noteRefused() { w.short = true }

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
