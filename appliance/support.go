package appliance

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"slices"
	"strings"

	"munadi/appliance/admin"
	"munadi/appliance/apimodel"
	"munadi/appliance/carrier/sip"
	"munadi/appliance/config"
)

// supportReport collects metrics, goroutines, settings and logs for a support bundle, without secrets and personal
// data.
func (a *Appliance) supportReport() (admin.SupportReport, error) {
	var metrics, goroutines bytes.Buffer
	if err := a.metrics.Write(&metrics); err != nil {
		return admin.SupportReport{}, err
	}
	// Level 1 groups goroutines and omits arguments.
	if err := pprof.Lookup("goroutine").WriteTo(&goroutines, 1); err != nil {
		return admin.SupportReport{}, err
	}
	var log []string
	for _, line := range a.tail.lastLines() {
		log = append(log, apimodel.ScrubText(line))
	}
	return admin.SupportReport{
		Version: a.version, Started: a.vitals.started, Settings: SettingsText(a.inForce()),
		Metrics: metrics.String(), Log: log, Goroutines: goroutines.String(), Signalling: sip.SignallingLog(),
	}, nil
}

// personal lists settings that hold an address, account or number of a person.
var personal = []string{"acme-email", "sip-user", "sip-from", "sip-identity"}

// SettingsText lists the settings in force for a support bundle, without secrets and personal data; an asterisk marks
// those that are not the default.
func SettingsText(c *config.Config) string {
	var b strings.Builder
	for _, s := range c.InForce() {
		if slices.Contains(personal, s.Name) && s.Value != "" {
			s.Value = "•••"
		}
		mark := " "
		if s.Value != s.Default {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %s: %s\n", mark, s.Name, s.Value)
	}
	return b.String()
}
