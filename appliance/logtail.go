package appliance

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// tailLines is how many lines of the log the console shows.
const tailLines = 120

// tail keeps the last lines of the log beside wherever it is written to. It is safe for concurrent use.
type tail struct {
	mu    sync.Mutex
	lines []string
}

// Write takes one line.
func (t *tail) Write(line []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, strings.TrimSpace(string(bytes.ToValidUTF8(line, nil))))
	t.lines = t.lines[max(0, len(t.lines)-tailLines):]
	return len(line), nil
}

func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lines)
}

// keepTail is a logger that writes to l and to the tail what is worth a look: not each request.
func keepTail(l *slog.Logger, t *tail) *slog.Logger {
	return slog.New(both{l.Handler(), slog.NewTextHandler(t, &slog.HandlerOptions{Level: slog.LevelInfo})})
}

// both hands records to two handlers.
type both struct{ main, tail slog.Handler }

func (b both) Enabled(ctx context.Context, level slog.Level) bool {
	return b.main.Enabled(ctx, level) || b.tail.Enabled(ctx, level)
}

func (b both) Handle(ctx context.Context, r slog.Record) error {
	if b.tail.Enabled(ctx, r.Level) && (r.Message != "request" || r.Level > slog.LevelInfo) {
		_ = b.tail.Handle(ctx, r.Clone()) // a tail in memory does not fail
	}
	if !b.main.Enabled(ctx, r.Level) {
		return nil
	}
	return b.main.Handle(ctx, r)
}

func (b both) WithAttrs(attrs []slog.Attr) slog.Handler {
	return both{b.main.WithAttrs(attrs), b.tail.WithAttrs(attrs)}
}

func (b both) WithGroup(name string) slog.Handler {
	return both{b.main.WithGroup(name), b.tail.WithGroup(name)}
}
