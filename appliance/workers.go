package appliance

import (
	"context"
	"errors"
	"sync"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/monitor/doctor"
	"munadi/appliance/monitor/support"
	"munadi/appliance/recovery"
)

const (
	restartAfter = time.Second      // restart delay of a failed worker
	sweepEvery   = 10 * time.Minute // interval at which expired records are deleted
)

// backgroundWorker is a background task: run returns nil when its context ends, an error when it fails.
type backgroundWorker struct {
	name string
	run  func(context.Context) error
}

func (a *Appliance) listWorkers() []backgroundWorker {
	all := []backgroundWorker{
		{"keys", a.auth.Run},
		{"jobs", a.stt.RunJobs},
		{"webhooks", a.calls.webhook.Run},
		{"callbacks", a.callbacks.Run},
		{"retention", a.calls.retention.Run},
		{"backups", a.backups.Run},
		{"live", a.live.Run},
		{"sweep", a.sweepExpired},
		{"admin", a.serveCommands},
		{"watchdog", func(ctx context.Context) error { return a.watchdog.SendKeepAlives(ctx, a.Manager) }},
		{"vitals", a.vitals.Run},
		{"storage", a.storage.WatchWritable},
		{"integrity", a.storage.VerifyTables},
	}
	if a.certificate != nil {
		all = append(all, backgroundWorker{"certificate", a.certificate.Run})
	}
	if a.calls.trunk != nil {
		all = append(all, backgroundWorker{"trunk", func(ctx context.Context) error {
			return trunk.RunTrunk(ctx, a.calls.trunk, a.health.SetWarning)
		}})
	}
	return all
}

// serveCommands serves the operator's commands on the unix socket in the data folder.
func (a *Appliance) serveCommands(ctx context.Context) error {
	socket, err := admin.ListenSocket(a.config.Data)
	if err != nil {
		return err
	}
	h := admin.NewHandler(admin.NewLocal(a.auth, a.store).WithAccounts(a.accounts))
	return admin.ServeSocket(ctx, socket, admin.WithProcess(h, admin.ProcessControl{
		ReloadModel: a.reloadModel, Reload: a.ReloadSettings, CheckUp: a.checkUp, Support: a.supportReport,
	}))
}

// checkUp runs the checks of munadi doctor on the running appliance.
func (a *Appliance) checkUp(ctx context.Context) []admin.CheckFinding {
	found := append(doctor.CheckDatabase(ctx, a.store), doctor.CheckStorage(a.store),
		doctor.CheckWorkers(a.health.WorkerFaults()), backupschedule.CheckBackups(a.backups.CurrentState()))
	if a.calls.trunk != nil {
		found = append(found, trunk.CheckRunning(ctx, a.calls.trunk, a.config))
	}
	return append(found, doctor.CheckWebhooks(ctx, a.store, a.outboundNetwork().ProbeReceiver)...)
}

// supportReport collects the parts of a support bundle that need the running appliance.
func (a *Appliance) supportReport() (admin.SupportReport, error) {
	return support.NewReport(support.ReportSource{
		Version: a.version, Started: a.vitals.Started, Settings: a.inForce(), Metrics: a.metrics.Write,
		Log: a.tail.LastLines(), Signalling: sip.SignallingLog(),
	})
}

// notifyManager sends a state to the service manager; an error is logged only.
func (a *Appliance) notifyManager(state, sentence string) {
	if err := a.Manager.NotifyState(state, sentence); err != nil {
		a.log.Warn("the service manager could not be notified", "state", state, "err", err)
	}
}

// superviseWorkers runs the workers until ctx ends and restarts failed ones; the channel is closed when all have
// returned.
func (a *Appliance) superviseWorkers(ctx context.Context, workers []backgroundWorker) <-chan struct{} {
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(func() { a.keepRunning(ctx, w) })
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	return done
}

// keepRunning restarts a worker whenever it fails.
func (a *Appliance) keepRunning(ctx context.Context, w backgroundWorker) {
	for ctx.Err() == nil {
		err := runRecovered(ctx, w)
		if ctx.Err() != nil {
			return
		}
		a.health.ReportWorker(w.name, err)
		a.log.Error("a worker failed and is restarted", "worker", w.name, "err", err)
		select {
		case <-time.After(restartAfter):
			a.health.ReportWorker(w.name, nil)
		case <-ctx.Done():
		}
	}
}

// runRecovered recovers a panic as an error, so that one worker's fault does not end running calls.
func runRecovered(ctx context.Context, w backgroundWorker) error {
	err := recovery.RecoverPanic(func() error { return w.run(ctx) })
	if err == nil && ctx.Err() == nil {
		err = errors.New("it ended unexpectedly")
	}
	return err
}

// sweepExpired deletes expired sessions and idempotency records.
func (a *Appliance) sweepExpired(ctx context.Context) error {
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
