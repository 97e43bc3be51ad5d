package database_test

import (
	"os"
	"strings"
	"testing"

	"munadi/appliance/config"
	"munadi/appliance/database"
)

// TestOpenUnfinishedMigration checks that no empty database is made beside an interrupted migration to the embedded
// database, and that one is made when its folder has been removed.
func TestOpenUnfinishedMigration(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	partial := cfg.DatabaseFolder() + ".migrating"
	if err := os.MkdirAll(partial, 0o700); err != nil {
		t.Fatal(err)
	}
	opened, err := database.OpenDatabase(t.Context(), cfg, database.OpenOptions{})
	if err == nil {
		_ = opened.Close()
		t.Fatal("a database was opened beside an unfinished migration")
	}
	if !strings.Contains(err.Error(), "munadi store migrate again") || !strings.Contains(err.Error(), partial) {
		t.Errorf("error %q names neither the remedy nor the folder", err)
	}
	if err := os.RemoveAll(partial); err != nil {
		t.Fatal(err)
	}
	if opened, err = database.OpenDatabase(t.Context(), cfg, database.OpenOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
}
