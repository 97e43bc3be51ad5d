// Package support builds a running appliance's part of a support bundle, without secrets and personal data.
package support

import (
	"bytes"
	"fmt"
	"io"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"munadi/appliance/admin"
	"munadi/appliance/apimodel"
	"munadi/appliance/config"
	"munadi/store/call"
)

// ReportSource is the source of a support report.
type ReportSource struct {
	Version    string
	Started    time.Time
	Settings   *config.Config
	Metrics    func(io.Writer) error
	Log        []string
	Signalling []string
	Refused    []call.RefusedCall
}

// NewReport collects metrics, goroutines, settings and logs for a support bundle.
func NewReport(source ReportSource) (admin.SupportReport, error) {
	var metrics, goroutines bytes.Buffer
	if err := source.Metrics(&metrics); err != nil {
		return admin.SupportReport{}, err
	}
	// Level 1 groups goroutines and omits arguments.
	if err := pprof.Lookup("goroutine").WriteTo(&goroutines, 1); err != nil {
		return admin.SupportReport{}, err
	}
	var log []string
	for _, line := range source.Log {
		log = append(log, apimodel.ScrubText(line))
	}
	return admin.SupportReport{
		Version: source.Version, Started: source.Started, Settings: SettingsText(source.Settings),
		Metrics: metrics.String(), Log: log, Goroutines: goroutines.String(), Signalling: source.Signalling,
		Refused: source.Refused,
	}, nil
}

// personalSettings lists settings that hold an address, account or number of a person.
var personalSettings = []string{"acme-email", "sip-user", "sip-from", "sip-identity"}

// SettingsText lists the settings in force for a support bundle, without secrets and personal data; an asterisk marks
// those that are not the default.
func SettingsText(c *config.Config) string {
	var b strings.Builder
	for _, s := range c.InForce() {
		if slices.Contains(personalSettings, s.Name) && s.Value != "" {
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
