package appliance

import (
	"context"
	"errors"
	"sync"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/survive"
)

const (
	restartAfter = time.Second      // a worker that failed starts again
	sweepEvery   = 10 * time.Minute // what has expired is forgotten
)

// worker is a background duty: run returns nil when its context ends, an error when it fails.
type worker struct {
	name string
	run  func(context.Context) error
}

func (a *Appliance) workers() []worker {
	all := []worker{
		{"keys", a.auth.Run},
		{"jobs", a.stt.RunJobs},
		{"webhooks", a.calls.webhook.Run},
		{"callbacks", a.callbacks.Run},
		{"retention", a.calls.retention.Run},
		{"backups", a.vault.Run},
		{"live", a.live.Run},
		{"sweep", a.sweep},
		{"admin", a.commands},
		{"watchdog", a.feed},
		{"vitals", a.watchVitals},
		{"storage", a.watchStorage},
		{"integrity", a.verifyTables},
	}
	if a.certificate != nil {
		all = append(all, worker{"certificate", a.certificate.Run})
	}
	if a.calls.trunk != nil {
		all = append(all, worker{"trunk", a.runTrunk})
	}
	return all
}

// commands answers the operator's commands on the socket in the data folder.
func (a *Appliance) commands(ctx context.Context) error {
	socket, err := admin.Listen(a.config.Data)
	if err != nil {
		return err
	}
	h := admin.Handler(admin.NewLocal(a.auth, a.store).Over(a.accounts))
	return admin.Serve(ctx, socket, admin.WithProcess(h, admin.Process{
		ReloadModel: a.reload, Reload: a.Reload, CheckUp: a.checkUp, Support: a.support,
	}))
}

// supervise runs the workers until ctx ends; the channel is closed when all have returned.
func (a *Appliance) supervise(ctx context.Context, workers []worker) <-chan struct{} {
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() { a.keep(ctx, w) })
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	return done
}

// keep starts a worker again whenever it fails.
func (a *Appliance) keep(ctx context.Context, w worker) {
	for ctx.Err() == nil {
		err := guarded(ctx, w)
		if ctx.Err() != nil {
			return
		}
		a.health.Report(w.name, err)
		a.log.Error("a worker failed and is started again", "worker", w.name, "err", err)
		select {
		case <-time.After(restartAfter):
			a.health.Report(w.name, nil)
		case <-ctx.Done():
		}
	}
}

// guarded turns a panic into an error: one worker's fault must not take the calls of the others down.
func guarded(ctx context.Context, w worker) error {
	err := survive.Panic(func() error { return w.run(ctx) })
	if err == nil && ctx.Err() == nil {
		err = errors.New("it ended by itself")
	}
	return err
}

// sweep forgets what has expired.
func (a *Appliance) sweep(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	expire := []func(context.Context, time.Time) (int, error){
		a.store.ExpireSessions, a.store.ExpireWebSessions, a.store.ExpireReceipts,
	}
	for {
		for _, kind := range expire {
			if _, err := kind(ctx, time.Now()); err != nil && ctx.Err() == nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
