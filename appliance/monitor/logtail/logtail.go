// Package logtail keeps the last lines of the log in memory, for the console and for support bundles.
package logtail

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// maxLines is the number of lines that are kept.
const maxLines = 120

// LogTail holds the last lines of the log. It is safe for concurrent use.
type LogTail struct {
	mu    sync.Mutex
	lines []string
}

// Write appends one line.
func (t *LogTail) Write(line []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, strings.TrimSpace(string(bytes.ToValidUTF8(line, nil))))
	t.lines = t.lines[max(0, len(t.lines)-maxLines):]
	return len(line), nil
}

// LastLines returns the lines, oldest first.
func (t *LogTail) LastLines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.lines)
}

// AttachTail returns a logger that writes to l, and records of level info and above also to the tail; the access log of
// requests is below that.
func AttachTail(l *slog.Logger, t *LogTail) *slog.Logger {
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
