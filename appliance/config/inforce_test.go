package config_test

import (
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
