// Package supervisor runs background workers and restarts those that fail or panic.
package supervisor

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"munadi/appliance/recovery"
)

// restartAfter is the restart delay of a failed worker.
const restartAfter = time.Second

// BackgroundWorker is a background task: Run returns nil when its context ends, an error when it fails.
type BackgroundWorker struct {
	Name string
	Run  func(context.Context) error
}

// Supervisor runs workers.
type Supervisor struct {
	// Report receives the error of a worker that failed, and nil when it runs again.
	Report func(worker string, err error)
	// Log is the logger.
	Log *slog.Logger
}

// RunWorkers runs the workers until ctx ends and restarts failed ones; the channel is closed when all have
// returned.
func (s Supervisor) RunWorkers(ctx context.Context, workers []BackgroundWorker) <-chan struct{} {
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() { s.keepRunning(ctx, w) })
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	return done
}

// keepRunning restarts a worker whenever it fails.
func (s Supervisor) keepRunning(ctx context.Context, w BackgroundWorker) {
	for ctx.Err() == nil {
		err := runRecovered(ctx, w)
		if ctx.Err() != nil {
			return
		}
		s.Report(w.Name, err)
		s.Log.Error("a worker failed and is restarted", "worker", w.Name, "err", err)
		select {
		case <-time.After(restartAfter):
			s.Report(w.Name, nil)
		case <-ctx.Done():
		}
	}
}

// runRecovered recovers a panic as an error, so that one worker's fault does not end running calls.
func runRecovered(ctx context.Context, w BackgroundWorker) error {
	err := recovery.RecoverPanic(func() error { return w.Run(ctx) })
	if err == nil && ctx.Err() == nil {
		err = errors.New("it ended unexpectedly")
	}
	return err
}
