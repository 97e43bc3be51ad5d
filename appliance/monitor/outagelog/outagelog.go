// Package outagelog rate-limits log lines about an unavailable database: all workers that need it fail every second,
// and one line with growing intervals says the same.
package outagelog

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"munadi/store"
)

// Intervals between two lines about an unavailable store, doubled from line to line. After a long time without such
// lines they start with the shortest again.
const (
	firstPause  = 2 * time.Second
	longestWait = time.Minute
)

// outageHandler drops lines that have the error of an unavailable store as an attribute.
type outageHandler struct {
	slog.Handler
	outage *outageState
}

// outageState is shared by the handlers of a log.
type outageState struct {
	now func() time.Time

	mu      sync.Mutex
	last    time.Time
	pause   time.Duration
	dropped int
}

// NewHandler returns a handler that passes records to next, except repeated ones about an unavailable store.
func NewHandler(next slog.Handler, now func() time.Time) slog.Handler {
	return &outageHandler{Handler: next, outage: &outageState{now: now}}
}

// Handle implements [slog.Handler].
func (h *outageHandler) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn || !isOutage(r) {
		return h.Handler.Handle(ctx, r)
	}
	dropped, pass := h.outage.takeLine()
	if !pass {
		return nil
	}
	if dropped > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("lines_left_out", dropped))
	}
	return h.Handler.Handle(ctx, r)
}

// isOutage reports whether an attribute of a record is the error of an unavailable store.
func isOutage(r slog.Record) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		err, is := a.Value.Any().(error)
		found = is && store.CodeOf(err) == store.CodeUnavailable
		return !found
	})
	return found
}

// takeLine reports whether a line may pass, and how many were dropped since the last one that did.
func (o *outageState) takeLine() (dropped int, pass bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	since := now.Sub(o.last)
	if since < o.pause {
		o.dropped++
		return 0, false
	}
	if o.pause = min(2*o.pause, longestWait); since > 2*longestWait || o.pause == 0 {
		o.pause = firstPause
	}
	dropped, o.dropped, o.last = o.dropped, 0, now
	return dropped, true
}

// WithAttrs implements [slog.Handler].
func (h *outageHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &outageHandler{Handler: h.Handler.WithAttrs(attrs), outage: h.outage}
}

// WithGroup implements [slog.Handler].
func (h *outageHandler) WithGroup(name string) slog.Handler {
	return &outageHandler{Handler: h.Handler.WithGroup(name), outage: h.outage}
}
