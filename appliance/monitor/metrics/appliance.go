package metrics

import "time"

// ApplianceReadings are the values of the appliance's gauges at a scrape.
type ApplianceReadings struct {
	EngineLoad       func() (requests, waiting int)
	LostTransactions func() int
	Ready            func() bool
	Writable         func() bool // new work can be stored
	HeldLines        func() int
	LineLimit        func() int
	LiveSessions     func() int
	LastBackup       func() (at time.Time, failing bool) // zero time: there is none
}

// ListGauges returns the gauges of these readings.
func (r ApplianceReadings) ListGauges() []Gauge {
	count := func(of func() int) func() float64 { return func() float64 { return float64(of()) } }
	flag := func(of func() bool) func() float64 { return func() float64 { return BoolGauge(of()) } }
	return []Gauge{
		{Name: "stt_requests", Help: "Requests that the speech engine has admitted.", Value: count(func() int {
			requests, _ := r.EngineLoad()
			return requests
		})},
		{Name: "stt_queue_length", Help: "Work items that wait for the speech engine.", Value: count(func() int {
			_, waiting := r.EngineLoad()
			return waiting
		})},
		{
			Name: "store_lost_transactions", Help: "Acknowledged changes that were lost to disk damage.",
			Value: count(r.LostTransactions),
		},
		{Name: "calls_running", Help: "Running calls.", Value: count(r.HeldLines)},
		{Name: "ready", Help: "1 while requests are served and all workers run, else 0.", Value: flag(r.Ready)},
		{Name: "lines", Help: "Largest number of concurrent calls.", Value: count(r.LineLimit)},
		{
			Name: "live_sessions", Help: "Open realtime sessions and live microphones of this machine.",
			Value: count(r.LiveSessions),
		},
		{
			Name: "storage_writable", Help: "1 while new work can be stored; 0 with a full or read-only disk.",
			Value: flag(r.Writable),
		},
		{
			Name: "backup_last_timestamp_seconds", Help: "Unix time of the latest nightly backup; 0: none.",
			Value: func() float64 {
				if at, _ := r.LastBackup(); !at.IsZero() {
					return float64(at.Unix())
				}
				return 0
			},
		},
		{
			Name: "backup_failing", Help: "1 while nightly backups fail, else 0.", Value: flag(func() bool {
				_, failing := r.LastBackup()
				return failing
			}),
		},
	}
}
