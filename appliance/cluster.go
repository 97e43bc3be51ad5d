package appliance

import (
	"munadi/appliance/cluster"
	"munadi/appliance/monitor/health"
)

// openCluster connects the hubs and limits with those of the appliances that share the database.
func (a *Appliance) openCluster() {
	if a.store.Shared == nil {
		return
	}
	d := cluster.Dependencies{
		Store: a.store.Shared, Events: a.events, Sound: a.sound, Limits: a.limits, Locks: a.accounts,
		Describe: a.describeMember, FilesChanged: func() { a.shared.WakeUp(); a.bucket.WakePrompts() }, Log: a.log,
	}
	if a.config.ServesCalls() {
		d.Rescued, d.HoldsCall = a.calls.PublishRescued, a.calls.Scheduler.HoldsCall
	}
	a.cluster = cluster.NewCluster(d)
}

// describeMember returns this appliance's status for the others.
func (a *Appliance) describeMember() cluster.MemberStatus {
	_, sentence := a.health.CanDecode()
	s := cluster.MemberStatus{
		Address: a.Addr().String(), Version: a.version, Role: a.config.Role, Started: a.vitals.Started,
		Ready: a.health.Phase() == health.Ready, Health: sentence,
	}
	if a.config.ServesCalls() {
		s.Lines, s.Held = a.calls.LineLimit(), a.calls.Scheduler.HeldLines()
	}
	_, s.Queue = a.engine.QueueLoad()
	if e := a.engine.CurrentEngine(); e != nil {
		s.Model = e.ModelInfo().Name
		s.Installed, _ = a.installed.ServingName()
	}
	return s
}
