package config_test

import (
	"path/filepath"
	"testing"
)

// TestThreeMachines checks that the settings of the example with three machines are valid, and that the service writes
// only to the two folders that its systemd unit permits.
func TestThreeMachines(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "packaging", "examples", "three-machines", "munadi.yaml")
	store := map[string]string{"MUNADI_STORE": "postgres://munadi@db.example.com/munadi?sslmode=verify-full"}
	got, printed, err := runMunadi(t, store, "serve", "--config", file)
	if err != nil {
		t.Fatal(err, printed)
	}
	if got.Data != "/var/lib/munadi" || got.CacheDir() != "/var/cache/munadi" || filepath.Dir(got.SecretPath()) != got.Data {
		t.Errorf("it writes to %s, %s and %s", got.Data, got.CacheDir(), got.SecretPath())
	}
}
