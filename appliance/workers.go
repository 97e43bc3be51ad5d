package appliance

import (
	"context"

	"munadi/appliance/admin"
	"munadi/appliance/backup/backupschedule"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/carrier/trunk"
	"munadi/appliance/monitor/doctor"
	"munadi/appliance/monitor/storagewatch"
	"munadi/appliance/monitor/support"
	"munadi/appliance/retention"
	"munadi/appliance/supervisor"
)

// listWorkers returns the workers of the appliance's role, except the scheduler.
func (a *Appliance) listWorkers() []supervisor.BackgroundWorker {
	all := append(a.sttWorkers(), a.storageWorkers()...)
	if a.config.ServesCalls() {
		all = append(all, a.callWorkers()...)
	}
	if a.bucket != nil {
		all = append(all, a.bucket.ListWorkers(a.health.SetWarning)...)
		all = append(all, supervisor.BackgroundWorker{Name: "shared models", Run: a.shared.Run})
	}
	if a.syslog != nil && a.config.ServesCalls() {
		all = append(all, supervisor.BackgroundWorker{Name: "syslog", Run: a.syslog.Run})
	}
	if a.certificate != nil {
		all = append(all, supervisor.BackgroundWorker{Name: "certificate", Run: a.certificate.Run})
	}
	return all
}

// sttWorkers returns the workers of every role.
func (a *Appliance) sttWorkers() []supervisor.BackgroundWorker {
	return []supervisor.BackgroundWorker{
		{Name: "keys", Run: a.auth.Run},
		{Name: "jobs", Run: a.stt.RunJobs},
		{Name: "callbacks", Run: a.callbacks.Run},
		{Name: "destinations", Run: a.destinations.Run},
		{Name: "models", Run: a.models.Run},
		{Name: "voices", Run: a.voices.Run},
		{Name: "capacity", Run: a.capacity.Run},
		{Name: "sweep", Run: func(ctx context.Context) error { return retention.SweepRecords(ctx, a.store) }},
		{Name: "admin", Run: a.serveCommands},
		{Name: "watchdog", Run: func(ctx context.Context) error { return a.watchdog.SendKeepAlives(ctx, a.Manager) }},
		{Name: "vitals", Run: a.vitals.Run},
	}
}

// callWorkers returns the workers of the call platform and of live microphone sessions.
func (a *Appliance) callWorkers() []supervisor.BackgroundWorker {
	all := []supervisor.BackgroundWorker{
		{Name: "webhooks", Run: a.calls.Webhooks.Run},
		{Name: "retention", Run: a.calls.Retention.Run},
		{Name: "bulk changes", Run: a.calls.Bulk.Run},
		{Name: "replays", Run: a.calls.Replays.Run},
		{Name: "live", Run: a.live.Run},
	}
	if a.company != nil {
		all = append(all, supervisor.BackgroundWorker{Name: "identity provider", Run: a.company.Run})
	}
	if a.directory != nil {
		all = append(all, supervisor.BackgroundWorker{Name: "directory", Run: a.accounts.WatchDirectory})
	}
	if a.calls.Trunks != nil {
		all = append(all, supervisor.BackgroundWorker{Name: "trunk", Run: func(ctx context.Context) error {
			return trunk.RunTrunks(ctx, a.calls.Trunks, a.health.SetWarning)
		}}, supervisor.BackgroundWorker{Name: "trunk settings", Run: a.followTrunks})
	}
	return all
}

// storageWorkers returns the workers that monitor the database. An appliance that only transcribes leaves the
// backups and alerts of a shared one to the others.
func (a *Appliance) storageWorkers() []supervisor.BackgroundWorker {
	var all []supervisor.BackgroundWorker
	if a.store.Embedded != nil {
		all = append(all, supervisor.BackgroundWorker{Name: "storage", Run: a.storage.WatchWritable},
			supervisor.BackgroundWorker{Name: "integrity", Run: a.storage.VerifyFiles})
	} else {
		watch := storagewatch.SharedWatch{Ping: a.store.CheckWritable, Health: &a.health}
		all = append(all, supervisor.BackgroundWorker{Name: "storage", Run: watch.WatchAnswers})
		all = append(all, a.cluster.ListWorkers()...)
	}
	if a.store.Embedded != nil || a.config.ServesCalls() {
		all = append(all, supervisor.BackgroundWorker{Name: "backups", Run: a.backups.Run},
			supervisor.BackgroundWorker{Name: "alerts", Run: a.alerts.Run},
			supervisor.BackgroundWorker{Name: "alert-mails", Run: a.alerts.RunMails})
	}
	return all
}

// serveCommands serves the operator's commands on the unix socket in the data folder.
func (a *Appliance) serveCommands(ctx context.Context) error {
	socket, err := admin.ListenSocket(a.config.Data)
	if err != nil {
		return err
	}
	local := admin.NewLocal(a.auth, a.store).WithAccounts(a.accounts).WithRecordings(a.recordings)
	if a.config.ServesCalls() {
		local.UseCases(a.calls.UseCases)
	}
	h := admin.NewHandler(local)
	return admin.ServeSocket(ctx, socket, admin.WithProcess(h, admin.ProcessControl{
		ReloadModel: a.reloadModel, Reload: a.ReloadSettings, CheckUp: a.checkUp, Support: a.supportReport,
		TestMail: a.testMail,
		Config:   a.inForce,
		Settings: a.exportSettings,
	}))
}

// exportSettings returns the settings in force, with the address that the listener has.
func (a *Appliance) exportSettings() map[string]string {
	texts := a.inForce().ExportSettings()
	texts["listen"] = a.Addr().String()
	return texts
}

// checkUp runs the checks of munadi doctor on the running appliance.
func (a *Appliance) checkUp(ctx context.Context) []admin.CheckFinding {
	found := append([]admin.CheckFinding{doctor.CheckModel(a.servingModel())}, doctor.CheckDatabase(ctx, a.store)...)
	found = append(
		found, doctor.CheckMail(ctx, a.mail), doctor.CheckStorage(ctx, a.store), doctor.CheckAudit(ctx, a.store),
		doctor.CheckWorkers(a.health.WorkerFaults()), backupschedule.CheckBackups(a.backups.CurrentState()))
	if a.config.ServesCalls() {
		elsewhere := a.store.Shared != nil && a.bucket == nil
		found = append(found, doctor.CheckRecordings(ctx, a.store, a.recordings, elsewhere))
	}
	if a.syslog != nil {
		found = append(found, doctor.CheckSyslog(ctx, a.syslog))
	}
	if a.directory != nil {
		found = append(found, doctor.CheckDirectory(ctx, a.directory))
	}
	if a.bucket != nil {
		found = append(found, a.bucket.CheckBucket(ctx), a.bucket.CheckPrompts(), a.shared.CheckShare())
	}
	if a.calls.Trunks != nil {
		found = append(found, trunk.CheckRunning(ctx, a.calls.Trunks)...)
	}
	return append(found, doctor.CheckWebhooks(ctx, a.store, a.outboundNetwork().ProbeReceiver)...)
}

// supportReport collects the parts of a support bundle that need the running appliance.
func (a *Appliance) supportReport() (admin.SupportReport, error) {
	return support.NewReport(support.ReportSource{
		Version: a.version, Started: a.vitals.Started, Settings: a.inForce(), Metrics: a.metrics.Write,
		Log: a.tail.LastLines(), Signalling: sip.SignallingLog(), Refused: sip.RefusedCalls(),
	})
}

// notifyManager sends a state to the service manager; an error is logged only.
func (a *Appliance) notifyManager(state, sentence string) {
	if err := a.Manager.NotifyState(state, sentence); err != nil {
		a.log.Warn("the service manager could not be notified", "state", state, "err", err)
	}
}
