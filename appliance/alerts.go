package appliance

import (
	"os"
	"time"

	"munadi/appliance/alerting"
	"munadi/appliance/ssehub"
	"munadi/store/disk"
)

// openAlerts constructs the monitor of alerts.
func (a *Appliance) openAlerts() error {
	name := ""
	if a.store.Shared != nil {
		name, _ = os.Hostname() // empty: alerts of appliances differ only by their trunks
	}
	a.alerts = alerting.NewMonitor(alerting.Dependencies{
		Store: a.store, Machine: a.machineConditions, Appliance: name, Mail: a.mail, Settings: a.inForce,
		PublicURL: a.publicURL,
		Publish: func(orgID string) {
			a.events.PublishTransient(ssehub.EventTopic{OrgID: orgID, Name: "alerts"}, "changed", struct{}{})
		},
		Now: time.Now, Log: a.log,
	})
	return nil
}

// machineConditions returns the conditions of this machine that alerts are raised for.
func (a *Appliance) machineConditions() []alerting.Condition {
	all := []alerting.Condition{alerting.JudgeBackups(a.backups.CurrentState(), a.vitals.Started, time.Now())}
	if a.bucket != nil {
		all = append(all, alerting.JudgeBucket(a.bucket.DescribeFault()))
	}
	if s, err := disk.ReadState(a.config.Data); err == nil {
		all = append(all, alerting.JudgeDisk(s))
	}
	if a.calls.Trunks != nil {
		all = append(all, alerting.JudgeTrunks(a.calls.Trunks.Statuses())...)
		all = append(all, a.replies.JudgeReplies(time.Now()))
	}
	return all
}

// countReply counts a reply in a call by the silence before it.
func (a *Appliance) countReply(gap time.Duration) {
	a.metrics.CountReply(gap)
	a.replies.CountReply(gap, time.Now())
}
