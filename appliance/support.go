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

// supportReport is what helps whoever is asked for help.
func (a *Appliance) supportReport() (admin.SupportReport, error) {
	var metrics, goroutines bytes.Buffer
	if err := a.metrics.Write(&metrics); err != nil {
		return admin.SupportReport{}, err
	}
	// Level 1 groups goroutines and leaves arguments out.
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

// personal are settings that hold somebody's address, account or number.
var personal = []string{"acme-email", "sip-user", "sip-from", "sip-identity"}

// SettingsText lists settings for who helps: without secrets, and without what is personal.
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
