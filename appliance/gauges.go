package appliance

import (
	"context"
	"slices"

	"munadi/appliance/carrier/trunk"
	"munadi/appliance/monitor/health"
	"munadi/appliance/monitor/metrics"
)

// addGauges adds the gauges of the appliance (Prometheus), which are read at each scrape.
func (a *Appliance) addGauges() error {
	flag := func(of func() bool) func() float64 { return func() float64 { return metrics.BoolGauge(of()) } }
	return a.metrics.AddGauges(slices.Concat(a.trunkGauges(), metrics.DiskGauges(a.config.Data), []metrics.Gauge{
		{Name: "stt_requests", Help: "Requests that the engine has admitted.", Value: func() float64 {
			requests, _ := a.engine.QueueLoad()
			return float64(requests)
		}},
		{Name: "stt_queue_length", Help: "Pieces of work that wait for the engine.", Value: func() float64 {
			_, waiting := a.engine.QueueLoad()
			return float64(waiting)
		}},
		{Name: "store_lost_transactions", Help: "Acknowledged changes that were lost to disk damage.", Value: func() float64 {
			return float64(a.store.LostTransactions())
		}},
		{Name: "calls_running", Help: "Calls that hold a line.", Value: func() float64 {
			return float64(a.calls.scheduler.HeldLines())
		}},
		{Name: "ready", Help: "1 while requests are served and every part runs, else 0.", Value: flag(func() bool {
			return a.health.Phase() == health.Ready
		})},
		{Name: "lines", Help: "Calls that may be up at once.", Value: func() float64 { return float64(a.lineLimit()) }},
		{Name: "live_sessions", Help: "Open realtime sessions and microphones of this machine.", Value: func() float64 {
			return float64(a.stt.LiveSessions() + a.live.CountSessions())
		}},
		{
			Name: "storage_writable", Help: "1 while new work can be stored; 0 with a full or read-only disk.",
			Value: flag(func() bool { return a.store.CheckWritable(context.Background()) == nil }),
		},
		{
			Name: "backup_last_timestamp_seconds", Help: "When the newest nightly backup was made; 0: there is none.",
			Value: func() float64 {
				if last := a.backups.CurrentState().Last; last != nil {
					return float64(last.At.Unix())
				}
				return 0
			},
		},
		{
			Name: "backup_failing", Help: "1 while backups cannot be made, else 0.",
			Value: flag(func() bool { return a.backups.CurrentState().Fault != "" }),
		},
	})...)
}

// trunkGauges returns the gauges of the SIP trunks, if there are any.
func (a *Appliance) trunkGauges() []metrics.Gauge {
	if a.calls.trunks == nil {
		return nil
	}
	return trunk.ListGauges(a.calls.trunks)
}
