package config_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munadi/appliance/config"
)

func TestSettingsInForceHoldNoSecret(t *testing.T) {
	t.Parallel()
	c := config.Default()
	c.MetricsToken, c.SpeechURL = "token-of-mine", "https://me:password-of-mine@speech.example/v1"
	c.SpeechKey, c.BootstrapAPIKey, c.BootstrapAdminPassword = "key-of-mine", "first-of-mine", "admin-of-mine"
	names := map[string]string{}
	for _, s := range c.InForce() {
		if strings.Contains(s.Value, "of-mine") {
			t.Errorf("%s shows %q", s.Name, s.Value)
		}
		names[s.Name] = s.Value
	}
	if names["metrics-token"] == "" || !strings.Contains(names["speech-url"], "speech.example") {
		t.Errorf("what is set is not seen: %v", names)
	}
}

func TestDefaultsInForceAreDefaults(t *testing.T) {
	t.Parallel()
	all := config.Default().InForce()
	if i := slices.IndexFunc(all, func(s config.InForce) bool { return s.Value != s.Default }); i >= 0 {
		t.Errorf("the default %+v counts as changed", all[i])
	}
	if len(all) < 15 {
		t.Errorf("only %d settings", len(all))
	}
}

// TestExportedSettings checks that another process gets every setting in force but the secrets, with absolute paths.
func TestExportedSettings(t *testing.T) {
	t.Parallel()
	served, err := loadConfig(t, map[string]string{"MUNADI_SIP_PASSWORD": "hush"}, "serve", "--carrier=sip",
		"--sip-trunk=sip:192.0.2.1", "--sip-media-ports=30000-30999", "--model=models/large", "--max-upload=2GiB",
		"--recordings=s3://munadi/clinic", "--log-level=warn", "--live-latency=1s", "--metrics-token=hush", "--data=there",
		`--sip-trunks=[{name: a, trunk: "sip:192.0.2.2"}]`)
	if err != nil {
		t.Fatal(err)
	}
	own := config.Default()
	own.Data, own.MetricsToken, own.Lines = "here", "mine", 7
	texts := served.ExportSettings()
	got, err := own.ImportSettings(texts)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(fmt.Sprint(texts), "hush") {
		t.Errorf("a secret is exported: %v", texts)
	}
	if got.Data != "here" || got.MetricsToken != "mine" || got.SIPPassword != "" || !filepath.IsAbs(got.Model) {
		t.Errorf("%q %q %q %q", got.Data, got.MetricsToken, got.SIPPassword, got.Model)
	}
	served.Data, served.MetricsToken, served.Model = got.Data, got.MetricsToken, got.Model
	served.SIPPassword = ""
	if live, waiting := served.CompareSettings(got); len(live)+len(waiting) > 0 {
		t.Errorf("other than in force: %v %v", live, waiting)
	}
}
