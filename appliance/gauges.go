package appliance

import (
	"context"
	"time"

	"munadi/appliance/carrier/trunk"
	"munadi/appliance/monitor/health"
	"munadi/appliance/monitor/metrics"
)

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
		gauges = append(gauges, trunk.ListGauges(a.calls.Trunks)...)
	}
	return a.metrics.AddGauges(append(gauges, a.bucket.ListGauges()...)...)
}
