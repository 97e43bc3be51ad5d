package config_test

import (
	"path/filepath"
	"testing"
)

// TestThreeMachines: the settings of the example for three machines are valid, and everything that the service writes
// lies in the two folders that its systemd unit lets it write.
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
