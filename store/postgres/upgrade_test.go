package postgres

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"munadi/store/storetest/fixture"
)

// undoMigrations undoes each migration but the first two, without which the installation cannot be read, and lists the
// beginnings of the queries whose results are lost.
var undoMigrations = []struct {
	sql   string
	loses []string
}{
	{"ALTER TABLE calls DROP COLUMN need", []string{"CallsPage by need", "CountCalls by need"}},
	{"DROP TABLE alerts", []string{"FindAlerts"}},
	{"DROP TABLE change_counts", nil},
	{"ALTER TABLE jobs DROP COLUMN shared", nil},
	{`ALTER TABLE calls DROP COLUMN person; UPDATE campaign_tallies SET record = convert_to(
		(convert_from(record, 'UTF8')::jsonb - 'people')::text, 'UTF8')`, nil},
	{"DROP TABLE bulk_changes", []string{"FindBulk", "PendingBulk"}},
	{"DROP TABLE erasures", nil},
	{"DROP TABLE audit_heads", nil},
	{"DROP TABLE destinations, event_deliveries, event_bodies", []string{"FindDestinations", "FindEvent", "ListEvents", "DueEvents"}},
	{"DROP TABLE inbound_settings, inbound_routes; ALTER TABLE calls DROP COLUMN direction", []string{
		"FindInbound", "FindRoute", "FindFollowed", "CallsPage by inbound", "CallsPage by outbound", "CountCalls by inbound",
		"CountCalls by outbound",
	}},
	{"DROP TABLE mail_settings", []string{"FindMailSetting"}},
	{"ALTER TABLE calls DROP COLUMN names", []string{"CallsPage by name", "CountCalls by name"}},
	{"DROP TABLE rules_kept", []string{"FindKeptRules"}},
	{"DROP TABLE call_traces, trunk_settings", []string{"FindTrace", "FindTrunks"}},
	{"DROP TABLE replays, replay_results", []string{"FindReplays", "PendingReplays", "ListReplayResults"}},
	{"DROP TABLE one_times", []string{"TakeOneTime"}},
	{"DROP TABLE audit_forwardings", []string{"FindForwarding"}},
}

// TestUpgradeInstallation: a whole installation in the tables of each older version reads the same after the upgrade.
func TestUpgradeInstallation(t *testing.T) {
	t.Parallel()
	const oldest = 2 // version
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(names) != len(undoMigrations)+oldest {
		t.Fatalf("undoMigrations has %d entries for the migrations %v, %v", len(undoMigrations), names, err)
	}
	s, server := openOn(t, false)
	filled := fixture.FillStore(t, s)
	want := filled.ReadStore(t, s)
	for version := len(names) - 1; version >= oldest; version-- {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for _, undo := range undoMigrations[version-oldest:] {
			server.Run(t, undo.sql)
			for query := range want {
				for _, begin := range undo.loses {
					if strings.HasPrefix(query, begin) {
						delete(want, query)
					}
				}
			}
		}
		server.Run(t, fmt.Sprint("DELETE FROM goose_db_version WHERE version_id > ", version))
		if s, err = OpenStore(t.Context(), server.URL(""), OpenOptions{Appliance: s.appliance}); err != nil {
			t.Fatalf("from version %d: %v", version, err)
		}
		got := filled.ReadStore(t, s)
		for query := range got {
			if _, kept := want[query]; !kept {
				delete(got, query)
			}
		}
		if difference := fixture.DiffReadings(want, got); difference != "" {
			t.Errorf("from version %d: %s", version, difference)
		}
	}
	_ = s.Close()
}
