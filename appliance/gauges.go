package appliance

import (
	"munadi/appliance/health"
	"munadi/store/disk"
)

// machineGauges adds the gauges of the whole appliance (Prometheus), which are read at each scrape.
func (a *Appliance) machineGauges() error {
	space := func(of func(disk.DiskState) uint64) func() float64 {
		return func() float64 {
			s, err := disk.ReadState(a.config.Data)
			if err != nil {
				return 0
			}
			return float64(of(s))
		}
	}
	for _, g := range []struct {
		name, help string
		value      func() float64
	}{
		{"ready", "1 while requests are served and every part runs, else 0.", func() float64 {
			return boolGauge(a.health.Phase() == health.Ready)
		}},
		{"lines", "Calls that may be up at once.", func() float64 { return float64(a.lineLimit()) }},
		{"live_sessions", "Realtime sessions and microphones of this machine that are open.", func() float64 {
			return float64(a.stt.LiveSessions() + a.live.CountSessions())
		}},
		{"disk_free_bytes", "Free bytes on the data disk.", space(func(s disk.DiskState) uint64 { return s.Free })},
		{"disk_size_bytes", "Size of the data disk in bytes.", space(func(s disk.DiskState) uint64 { return s.Size })},
		{"storage_writable", "1 while new work can be stored; 0 with a full or read-only disk.", func() float64 {
			return boolGauge(a.store.CheckWritable() == nil)
		}},
		{"backup_last_timestamp_seconds", "When the newest nightly backup was made; 0: there is none.", func() float64 {
			if last := a.backups.CurrentState().Last; last != nil {
				return float64(last.At.Unix())
			}
			return 0
		}},
		{"backup_failing", "1 while backups cannot be made, else 0.", func() float64 {
			return boolGauge(a.backups.CurrentState().Fault != "")
		}},
	} {
		if err := a.metrics.AddGauge(g.name, g.help, g.value); err != nil {
			return err
		}
	}
	return nil
}

// trunkGauges adds the gauges of the SIP trunk, if there is one.
func (a *Appliance) trunkGauges() error {
	if a.calls.trunk == nil {
		return nil
	}
	up := func() float64 { return boolGauge(a.calls.trunk.Status().Up) }
	registered := func() float64 { return boolGauge(!a.calls.trunk.Status().Registered.IsZero()) }
	err := a.metrics.AddGauge("sip_up", "1 while calls go out over the SIP trunk, 0 while they wait for it.", up)
	if err != nil {
		return err
	}
	late := func() float64 { return a.calls.trunk.Status().Load.Late }
	err = a.metrics.AddGauge(
		"sip_sound_late_ratio",
		"Share of sound packets that left over 20 ms late, in the last 10 s.",
		late,
	)
	if err != nil || !a.config.SIPRegister {
		return err
	}
	return a.metrics.AddGauge("sip_registered", "1 while registered at the SIP trunk, else 0.", registered)
}

// boolGauge returns 1 for true, 0 for false.
func boolGauge(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
