package supervisor_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"munadi/appliance/supervisor"
)

// A worker that fails, panics or returns without being asked is reported and restarted; the others are not affected.
func TestFailedWorkerIsRestarted(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var reports []string
	s := supervisor.Supervisor{Log: slog.New(slog.DiscardHandler), Report: func(worker string, err error) {
		mu.Lock()
		defer mu.Unlock()
		text := worker + " runs"
		if err != nil {
			text, _, _ = strings.Cut(worker+" "+err.Error(), "\n")
		}
		reports = append(reports, text)
	}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	starts, steady := 0, 0
	flaky := func(ctx context.Context) error {
		switch starts++; starts {
		case 1:
			return errors.New("broke")
		case 2:
			panic("fell over")
		case 3:
			return nil
		}
		stop()
		<-ctx.Done()
		return nil
	}
	done := s.RunWorkers(ctx, []supervisor.BackgroundWorker{
		{Name: "flaky", Run: flaky},
		{Name: "steady", Run: func(ctx context.Context) error { steady++; <-ctx.Done(); return nil }},
	})
	<-done
	want := "flaky broke, flaky runs, flaky panic: fell over, flaky runs, flaky it ended unexpectedly, flaky runs"
	if got := strings.Join(reports, ", "); got != want || steady != 1 {
		t.Errorf("got %s; the steady worker ran %d times", got, steady)
	}
}
