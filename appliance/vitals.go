package appliance

import (
	"context"
	"path/filepath"
	"time"

	"munadi/appliance/carrier/trunk"
	"munadi/appliance/console/kit"
	"munadi/appliance/monitor/health"
	"munadi/appliance/monitor/metrics"
	"munadi/assets"
	"munadi/store/disk"
)

// currentVitals returns the appliance's figures for the console.
func (a *Appliance) currentVitals() kit.ApplianceVitals {
	samples, sizes := a.vitals.CurrentFigures(time.Now())
	out := kit.ApplianceVitals{
		Started: a.vitals.Started, Load: samples, Database: sizes.Database, Recordings: sizes.Recordings,
		Lines: a.calls.LineLimit(), Held: a.calls.Scheduler.HeldLines(), Trunks: a.calls.TrunkVitals(),
		Workers: a.workerStates(), Sources: assets.ReadSources(), Settings: a.inForce().InForce(),
		Log: a.tail.LastLines(), Data: a.config.Data, Backups: a.backupVitals(),
	}
	if e := a.engine.CurrentEngine(); e != nil {
		info := e.ModelInfo()
		out.Model = &info
	}
	if c, known := a.capacity.CurrentCapacity(); known {
		out.Speakers, out.Conversations = c.Speakers, c.Calls
	}
	_, out.Queue = a.engine.QueueLoad()
	if path, err := filepath.Abs(a.config.Data); err == nil {
		out.Data = path
	}
	if s, err := disk.ReadState(a.config.Data); err == nil {
		out.Free, out.Disk = s.Free, s.Size
	}
	return out
}

// workerStates returns the background workers with the errors of those that fail.
func (a *Appliance) workerStates() []kit.WorkerState {
	faults := a.health.WorkerFaults()
	out := []kit.WorkerState{{Name: "schedule", Fault: faults["schedule"]}}
	for _, w := range a.listWorkers() {
		out = append(out, kit.WorkerState{Name: w.Name, Fault: faults[w.Name]})
	}
	return out
}

// addGauges adds the gauges of the appliance (Prometheus), which are read at each scrape.
func (a *Appliance) addGauges() error {
	gauges := append(metrics.DiskGauges(a.config.Data), metrics.ApplianceReadings{
		EngineLoad:       a.engine.QueueLoad,
		LostTransactions: func() int { return int(a.store.LostTransactions()) },
		Ready:            func() bool { return a.health.Phase() == health.Ready },
		Writable:         func() bool { return a.store.CheckWritable(context.Background()) == nil },
		HeldLines:        a.calls.Scheduler.HeldLines,
		LineLimit:        a.calls.LineLimit,
		LiveSessions:     func() int { return a.stt.LiveSessions() + a.live.CountSessions() },
		LastBackup: func() (at time.Time, failing bool) {
			s := a.backups.CurrentState()
			if s.Last != nil {
				at = s.Last.At
			}
			return at, s.Fault != ""
		},
	}.ListGauges()...)
	if a.calls.Trunks != nil {
		source := func() []metrics.Gauge { return trunk.ListGauges(a.calls.Trunks) }
		if err := a.metrics.AddGaugeSource(source); err != nil {
			return err
		}
	}
	return a.metrics.AddGauges(append(gauges, a.bucket.ListGauges()...)...)
}
