package appliance

import (
	"path/filepath"
	"time"

	"munadi/appliance/console/kit"
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
