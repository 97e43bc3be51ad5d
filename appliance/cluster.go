package appliance

import (
	"context"
	"os"

	"munadi/appliance/cluster"
	"munadi/appliance/console"
	"munadi/appliance/monitor/health"
	"munadi/appliance/publisher"
	"munadi/appliance/supervisor"
	"munadi/store/call"
	"munadi/store/postgres"
)

// clusterParts connect this appliance with those that share its database; nil without any.
type clusterParts struct {
	messenger *cluster.Messenger
	relay     *cluster.EventRelay
	limits    *cluster.LimitExchange
}

// openCluster connects the hubs and limits with those of the appliances that share the database.
func (a *Appliance) openCluster() {
	if a.store.Shared == nil {
		return
	}
	m := cluster.NewMessenger(a.store.Shared, a.log)
	a.cluster = &clusterParts{
		messenger: m, relay: cluster.NewRelay(m, a.events, a.sound), limits: cluster.NewExchange(m, a.limits, a.accounts),
	}
	a.events.SetRelay(a.cluster.relay)
	a.sound.SetRelay(a.cluster.relay)
}

// clusterWorkers are the workers of an appliance that shares its database.
func (a *Appliance) clusterWorkers() []supervisor.BackgroundWorker {
	if a.cluster == nil {
		return nil
	}
	return []supervisor.BackgroundWorker{
		{Name: "lease", Run: a.keepLease},
		{Name: "relay", Run: func(ctx context.Context) error {
			a.cluster.messenger.StartReceiving()
			return a.cluster.relay.Run(ctx)
		}},
		{Name: "limits", Run: a.cluster.limits.Run},
	}
}

// keepLease holds this appliance's lease on what it runs.
func (a *Appliance) keepLease(ctx context.Context) error {
	holder := postgres.LeaseHolder{Describe: a.describeMember}
	if a.config.ServesCalls() {
		holder.Rescued = a.publishRescued
	}
	a.store.Shared.KeepLease(ctx, holder)
	return nil
}

// publishRescued logs and publishes the calls of dead appliances that were ended as interrupted.
func (a *Appliance) publishRescued(ended []call.Call) {
	for _, c := range ended {
		a.log.Warn("a call of another appliance was cut off", "call_id", c.ID, "org", c.OrgID)
		publisher.NewCallPublisher(a.hubs(), c).PublishEnd(c.Status)
	}
}

// describeMember is what this appliance says of itself to the others.
func (a *Appliance) describeMember() []byte {
	name, _ := os.Hostname() // empty: the address is enough
	_, sentence := a.health.CanDecode()
	s := cluster.MemberStatus{
		Name: name, Address: a.Addr().String(), Version: a.version, Role: a.config.Role, Started: a.vitals.Started,
		Ready: a.health.Phase() == health.Ready, Health: sentence,
	}
	if a.config.ServesCalls() {
		s.Lines, s.Held = a.lineLimit(), a.calls.scheduler.HeldLines()
	}
	_, s.Queue = a.engine.QueueLoad()
	if e := a.engine.CurrentEngine(); e != nil {
		s.Model = e.ModelInfo().Name
	}
	return cluster.EncodeStatus(s)
}

// listAppliances lists the appliances that share the database for the console; none with the embedded one.
func (a *Appliance) listAppliances(ctx context.Context) (all []console.ApplianceState, err error) {
	if a.store.Shared == nil {
		return nil, nil
	}
	found, err := a.store.Shared.ListAppliances(ctx)
	for _, one := range found {
		all = append(all, console.ApplianceState{
			MemberStatus: cluster.DecodeStatus(one.Status), Alive: one.Alive, Silent: one.Silent,
			Here: one.ID == a.store.Shared.ApplianceID(),
		})
	}
	return all, err
}
