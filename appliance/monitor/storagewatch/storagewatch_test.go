package storagewatch

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/monitor/health"
	"munadi/store/account"
	"munadi/store/badger"
)

// TestFailedVerificationIsAWarning checks that a table that cannot be read stays in the health message and does not
// make the worker fail.
func TestFailedVerificationIsAWarning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 { // closing writes a table
		s, err := badger.OpenStore(dir, badger.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Bootstrap(t.Context(), account.Organization{ID: account.Default}, nil, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s, err := badger.OpenStore(dir, badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var state health.HealthState
	w := StorageWatch{Store: s, Health: &state, Log: slog.New(slog.DiscardHandler)}
	warned := func() bool {
		_, message := state.CanDecode()
		return strings.Contains(message, "could not be verified")
	}
	if w.verifyOnce(t.Context()); warned() {
		t.Fatal("a warning about a whole database")
	}
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	content, err := os.ReadFile(tables[0])
	if err != nil {
		t.Fatal(err)
	}
	writeTail(t, tables[0], int64(len(content)), []byte{0xff, 0xff, 0xff, 0xff})
	if w.verifyOnce(t.Context()); !warned() {
		t.Error("no warning about a table that cannot be read")
	}
	w.reportState(t.Context())
	if !warned() {
		t.Error("the warning is gone at the next look at the storage")
	}
	writeTail(t, tables[0], int64(len(content)), content[len(content)-4:])
	if w.verifyOnce(t.Context()); warned() {
		t.Error("the warning stays after a verification that succeeded")
	}
}

// writeTail replaces the end of a file in place; Badger has it mapped.
func writeTail(t *testing.T, path string, size int64, tail []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(tail, size-int64(len(tail))); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
