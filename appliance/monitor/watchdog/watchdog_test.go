package watchdog

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// The watchdog reports a scheduler without a round for stuckAfter, and a database that fails.
func TestCheckAlive(t *testing.T) {
	t.Parallel()
	var fault error
	w := Watchdog{QueryDatabase: func(context.Context) error { return fault }, Log: slog.New(slog.DiscardHandler)}
	if err := w.checkAlive(t.Context()); err != nil {
		t.Errorf("before the first round: %v", err)
	}
	w.RecordRound()
	if err := w.checkAlive(t.Context()); err != nil {
		t.Errorf("after a round: %v", err)
	}
	before := time.Now().Add(-stuckAfter - time.Second)
	w.lastRound.Store(&before)
	if err := w.checkAlive(t.Context()); err == nil || !strings.Contains(err.Error(), "stuck") {
		t.Errorf("without a round: %v", err)
	}
	w.RecordRound()
	fault = errors.New("broken")
	if err := w.checkAlive(t.Context()); !errors.Is(err, fault) {
		t.Errorf("without a database: %v", err)
	}
}
