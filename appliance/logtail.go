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

// logTail keeps the last lines of the log in memory for the console. It is safe for concurrent use.
type logTail struct {
	mu    sync.Mutex
	lines []string
}

// Write appends one line.
func (t *logTail) Write(line []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, strings.TrimSpace(string(bytes.ToValidUTF8(line, nil))))
	t.lines = t.lines[max(0, len(t.lines)-tailLines):]
	return len(line), nil
}

func (t *logTail) lastLines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lines)
}

// keepTail returns a logger that writes to l, and records of level info and above also to the tail; the access log of
// requests is below that.
func keepTail(l *slog.Logger, t *logTail) *slog.Logger {
	return slog.New(teeHandler{l.Handler(), slog.NewTextHandler(t, &slog.HandlerOptions{Level: slog.LevelInfo})})
}

// teeHandler passes records to two handlers.
type teeHandler struct{ main, tail slog.Handler }

func (b teeHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return b.main.Enabled(ctx, level) || b.tail.Enabled(ctx, level)
}

func (b teeHandler) Handle(ctx context.Context, r slog.Record) error {
	if b.tail.Enabled(ctx, r.Level) && (r.Message != "request" || r.Level > slog.LevelInfo) {
		_ = b.tail.Handle(ctx, r.Clone()) // memory; cannot fail
	}
	if !b.main.Enabled(ctx, r.Level) {
		return nil
	}
	return b.main.Handle(ctx, r)
}

func (b teeHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return teeHandler{b.main.WithAttrs(attrs), b.tail.WithAttrs(attrs)}
}

func (b teeHandler) WithGroup(name string) slog.Handler {
	return teeHandler{b.main.WithGroup(name), b.tail.WithGroup(name)}
}
