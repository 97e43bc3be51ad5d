package database_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"munadi/appliance/config"
	"munadi/appliance/database"
	"munadi/assets/scenarios"
	"munadi/store"
	"munadi/store/badger"
	"munadi/store/dump"
	"munadi/store/postgres"
	"munadi/store/postgres/postgrestest"
	"munadi/store/scenario"
	"munadi/store/storetest/fixture"
)

func TestMain(m *testing.M) {
	code := m.Run()
	postgrestest.CloseShared()
	os.Exit(code)
}

// newSettings returns settings with an empty data folder.
func newSettings(t *testing.T) *config.Config {
	t.Helper()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	return cfg
}

// openEmbedded opens the embedded database of a data folder.
func openEmbedded(t *testing.T, cfg *config.Config) store.Store {
	t.Helper()
	s, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// openShared opens a shared database as the appliance of a data folder.
func openShared(t *testing.T, cfg *config.Config, url string) *postgres.PostgresStore {
	t.Helper()
	s, err := postgres.OpenStore(t.Context(), url, postgres.OpenOptions{Appliance: applianceOf(t, cfg.Data)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMigrateStore checks that a whole installation, moved from database to database, reads the same in each, that the
// embedded database then has the same index entries and counters, and that what is moved was compared.
func TestMigrateStore(t *testing.T) {
	t.Parallel()
	server := postgrestest.SharedServer(t)
	for _, first := range []string{"badger", "postgres"} {
		t.Run("from "+first, func(t *testing.T) {
			t.Parallel()
			cfg, url := newSettings(t), server.NewURL(t)
			s := openEmbedded(t, cfg)
			if first == "postgres" {
				_ = s.Close()
				s = openShared(t, cfg, url)
			}
			filled := fixture.FillStore(t, s)
			copyBuiltIn(t, s)
			want := filled.ReadStore(t, s)
			var before map[string]string // in the embedded database
			toServer := first == "badger"
			for range 3 {
				if toServer {
					before = dumpStore(t, s)
					delete(before, "compaction-owed") // of the files, which are not moved
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if toServer {
					url = server.NewURL(t)
					mustMigrate(t, cfg, "badger", url)
					s = openShared(t, cfg, url)
				} else {
					cfg = newSettings(t)
					mustMigrate(t, cfg, url, "badger")
					s = openEmbedded(t, cfg)
				}
				if difference := fixture.DiffReadings(want, filled.ReadStore(t, s)); difference != "" {
					t.Errorf("to the server: %v: %s", toServer, difference)
				}
				if after := dumpStore(t, s); !toServer && before != nil {
					if difference := fixture.DiffReadings(before, after); difference != "" {
						t.Errorf("the embedded database, moved away and back: %s", difference)
					}
				}
				toServer = !toServer
			}
			_ = s.Close()
		})
	}
}

// mustMigrate moves a store; every kind of record that the fixture has is counted.
func mustMigrate(t *testing.T, cfg *config.Config, from, to string) {
	t.Helper()
	report, err := database.MigrateStore(t.Context(), cfg, from, to)
	if err != nil || report.Records["suppression"] != 1102 || report.Records["scenario"] < 2 || report.Records["call-tally"] == 0 {
		t.Fatalf("moved %v, %v", report.Records, err)
	}
}

// TestMigrationRefusals checks that an interrupted migration is continued, and that databases in use and a target that
// is not empty are refused.
func TestMigrationRefusals(t *testing.T) {
	t.Parallel()
	url, cfg := postgrestest.SharedServer(t).NewURL(t), newSettings(t)
	source := openEmbedded(t, cfg)
	fixture.FillStore(t, source)
	_, err := database.MigrateStore(t.Context(), cfg, "badger", url)
	if store.CodeOf(err) != store.CodeInUse || !strings.Contains(err.Error(), "stop its appliance first") {
		t.Errorf("the migration of a database that is open: %v", err)
	}
	cutOff(t, source, url)
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	mustMigrate(t, cfg, "badger", url)
	if _, err := database.MigrateStore(t.Context(), cfg, "badger", url); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("a target with data was taken: %v", err)
	}
	shared := openShared(t, cfg, url)
	defer func() { _ = shared.Close() }()
	leased, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { shared.KeepLease(leased, postgres.LeaseHolder{}); close(ended) }()
	for shared.CheckUnused(t.Context()) == nil {
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := database.MigrateStore(t.Context(), newSettings(t), url, "badger"); store.CodeOf(err) != store.CodeInUse {
		t.Errorf("a source in use was migrated: %v", err)
	}
	end()
	<-ended
}

// TestMigrationCompares checks that records which differ in the target are found and named: an entry of the audit
// trail, and a counter, which has no record of its own there.
func TestMigrationCompares(t *testing.T) {
	t.Parallel()
	server, cfg := postgrestest.SharedServer(t), newSettings(t)
	source, url := openEmbedded(t, cfg), server.URL("")
	fixture.FillStore(t, source)
	cutOff(t, source, url)
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	server.Run(t, "UPDATE audit SET record = record || ' ' WHERE rank = 1;"+
		"UPDATE call_tallies SET n = n + 1 WHERE what = 'operator'")
	_, err := database.MigrateStore(t.Context(), cfg, "badger", url)
	if store.CodeOf(err) != store.CodeCorrupt || !strings.HasSuffix(err.Error(), ": audit, call-tally") {
		t.Errorf("a target with other records: %v", err)
	}
}

// TestMigrateDamagedSource checks that a migration which leaves out unreadable records fails and says so, and that the
// target holds the others.
func TestMigrateDamagedSource(t *testing.T) {
	t.Parallel()
	url, cfg := postgrestest.SharedServer(t).NewURL(t), newSettings(t)
	source := openEmbedded(t, cfg)
	fixture.FillStore(t, source)
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	flipByte(t, cfg.DatabaseFolder())
	report, err := database.MigrateStore(t.Context(), cfg, "badger", url)
	if store.CodeOf(err) != store.CodeCorrupt || !strings.Contains(err.Error(), "the source is damaged") {
		t.Errorf("the migration of a damaged source: %v", err)
	}
	if report.Records["suppression"] == 0 {
		t.Errorf("the target holds %v", report.Records)
	}
}

// flipByte damages the first block of a table of an embedded database.
func flipByte(t *testing.T, folder string) {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(folder, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	content, err := os.ReadFile(tables[0])
	if err == nil {
		content[100] ^= 4
		err = os.WriteFile(tables[0], content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// copyBuiltIn adds a copy of each built-in scenario.
func copyBuiltIn(t *testing.T, s store.Store) {
	t.Helper()
	all, err := scenario.BuiltIn(scenarios.ScenarioFiles())
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	for _, one := range all {
		one.ID, one.OrgID, one.BuiltIn = one.ID+"_copy", fixture.OrgID, false
		if err := s.CreateScenario(t.Context(), one, "user:amal", fixture.StartTime()); err != nil {
			t.Fatal(err)
		}
	}
}

// dumpStore returns all that a database holds by key: of the embedded one also index entries, without the number of its
// last transaction.
func dumpStore(t *testing.T, s store.Store) map[string]string {
	t.Helper()
	var written bytes.Buffer
	all := map[string]string{}
	err := s.WriteBackup(t.Context(), &written)
	if err == nil {
		_, err = dump.ReadDump(&written, func(key, value []byte) error { all[string(key)] = string(value); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	delete(all, "commits")
	return all
}

// applianceOf returns the id of the appliance of a data folder.
func applianceOf(t *testing.T, data string) string {
	t.Helper()
	id, err := os.ReadFile(filepath.Join(data, "appliance", "id"))
	if errors.Is(err, fs.ErrNotExist) {
		return "one" // it never ran
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(id))
}

// cutReader fails after some bytes.
type cutReader struct {
	from interface{ Read(p []byte) (int, error) }
	left int
}

func (c *cutReader) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errCut
	}
	n, err := c.from.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

var errCut = errors.New("cut off")

// cutOff begins a migration that fails after the first batches.
func cutOff(t *testing.T, source store.Store, url string) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "dump"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if err := source.WriteBackup(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	size, _ := file.Seek(0, 2)
	_, _ = file.Seek(0, 0)
	target, err := postgres.OpenStore(t.Context(), url, postgres.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = target.Close() }()
	if _, err := target.ImportDump(t.Context(), &cutReader{file, int(size) * 2 / 3}); err == nil {
		t.Fatal("half a dump was imported")
	}
	if err := target.CheckComplete(t.Context()); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("half a database counts as whole: %v", err)
	}
}
