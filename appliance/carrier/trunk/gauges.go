package trunk

import (
	"munadi/appliance/carrier/sip"
	"munadi/appliance/monitor/metrics"
)

// ListGauges returns the gauges of each trunk (Prometheus). Those of several trunks have the label trunk.
func ListGauges(g *TrunkGroup) (all []metrics.Gauge) {
	members := g.listMembers()
	for _, m := range members {
		var labels map[string]string
		if len(members) > 1 {
			labels = map[string]string{"trunk": m.TrunkName()}
		}
		all = append(all, metrics.Gauge{
			Name: "sip_up", Help: "1 while calls go out over the SIP trunk, 0 while they wait for it.", Labels: labels,
			Value: func() float64 { return metrics.BoolGauge(m.Status().Up) },
		}, metrics.Gauge{
			Name: "sip_paused", Help: "1 while calls wait because the SIP trunk refuses them or does not answer INVITE, else 0.",
			Labels: labels, Value: func() float64 { return metrics.BoolGauge(m.Status().Paused != nil) },
		}, metrics.Gauge{
			Name: "sip_paused_status", Help: "SIP status with which the paused SIP trunk refuses calls; 0 without one.",
			Labels: labels, Value: func() float64 { return pausedStatus(m.Status().Paused) },
		}, metrics.Gauge{
			Name: "sip_sound_late_ratio", Help: "Share of sound packets that left over 20 ms late, in the last 10 s.",
			Labels: labels, Value: func() float64 { return m.Status().Load.Late },
		}, metrics.Gauge{
			Name: "sip_no_audio_calls", Help: "Of the last hour's answered calls, at most 50, those that got no audio.",
			Labels: labels, Value: func() float64 { return float64(m.Status().NoAudio.Calls) },
		})
		if m.Registers {
			all = append(all, metrics.Gauge{
				Name: "sip_registered", Help: "1 while registered at the SIP trunk, else 0.", Labels: labels,
				Value: func() float64 { return metrics.BoolGauge(!m.Status().Registered.IsZero()) },
			})
		}
	}
	return all
}

func pausedStatus(p *sip.CallPause) float64 {
	if p == nil {
		return 0
	}
	return float64(p.SIPCode)
}
