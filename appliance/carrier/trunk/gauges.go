package trunk

import (
	"munadi/appliance/carrier/sip"
	"munadi/appliance/monitor/metrics"
)

// ListGauges returns the gauges of a trunk (Prometheus); registers says whether registration is configured.
func ListGauges(carrier *sip.Carrier, registers bool) []metrics.Gauge {
	gauges := []metrics.Gauge{
		{Name: "sip_up", Help: "1 while calls go out over the SIP trunk, 0 while they wait for it.", Value: func() float64 {
			return metrics.BoolGauge(carrier.Status().Up)
		}},
		{
			Name: "sip_sound_late_ratio", Help: "Share of sound packets that left over 20 ms late, in the last 10 s.",
			Value: func() float64 { return carrier.Status().Load.Late },
		},
	}
	if registers {
		gauges = append(gauges, metrics.Gauge{
			Name: "sip_registered", Help: "1 while registered at the SIP trunk, else 0.",
			Value: func() float64 { return metrics.BoolGauge(!carrier.Status().Registered.IsZero()) },
		})
	}
	return gauges
}
