package support_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"munadi/appliance/config"
	"munadi/appliance/monitor/support"
)

// A report holds settings, metrics, log and goroutines, and neither addresses nor numbers of people.
func TestReportWithoutPersonalData(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.ACMEEmail, cfg.SIPUser = "person@example.com", "966112345678"
	source := support.ReportSource{
		Version: "1.0", Settings: cfg, Log: []string{"call to +966500000001"},
		Metrics: func(w io.Writer) error { _, err := io.WriteString(w, "munadi_ready 1\n"); return err },
	}
	r, err := support.NewReport(source)
	if err != nil || r.Metrics != "munadi_ready 1\n" || !strings.Contains(r.Goroutines, "goroutine") {
		t.Fatalf("%+v, %v", r, err)
	}
	if !strings.Contains(r.Settings, "* acme-email: •••") || !strings.Contains(r.Settings, "  listen: ") {
		t.Errorf("settings:\n%s", r.Settings)
	}
	for _, secret := range []string{"person@example.com", "966112345678", "966500000001"} {
		if strings.Contains(r.Settings+strings.Join(r.Log, ""), secret) {
			t.Errorf("the report holds %s", secret)
		}
	}
	broken := errors.New("broken")
	source.Metrics = func(io.Writer) error { return broken }
	if _, err := support.NewReport(source); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
