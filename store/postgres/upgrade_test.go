package postgres

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/storetest/fixture"
)

// undoMigrations undoes each migration but the first two, without which the installation cannot be read, and lists the
// beginnings of the queries whose results are lost.
var undoMigrations = []struct {
	sql   string
	loses []string
}{
	{"ALTER TABLE calls DROP COLUMN need", []string{
		"CallsPage by need", "CountCalls by need", "CallsPage by mark", "CountCalls by mark",
	}},
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
	{"ALTER TABLE calls DROP COLUMN marked, DROP COLUMN taker", nil},
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
		if err := s.RenewMarks(t.Context()); err != nil { // as an appliance does at its start
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

// TestMarksOfOlderVersion: what an appliance of a version without the order by mark changes stays listed, and has its
// place from the next start of one with it on.
func TestMarksOfOlderVersion(t *testing.T) {
	t.Parallel()
	s, server := openOn(t, false)
	now := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	_, all := addTestCampaign(t, s, 3, 1, now)
	var want []string
	for i, c := range all {
		endTestCall(t, s, c.ID, call.NoAnswer, now)
		at := now.Add(time.Duration(len(all)-i) * time.Minute) // the last one was marked first
		for _, kind := range []call.AmendKind{call.AmendMark, call.AmendTake} {
			if _, err := s.AmendCall(t.Context(), "bakery", c.ID, call.Amendment{Kind: kind}, "user:amal", at); err != nil {
				t.Fatal(err)
			}
		}
		want = append([]string{c.ID}, want...)
	}
	list := func(taker string) (ids []string) {
		f := store.CallFilter{NeedsPerson: true, Sort: store.SortByMark, TakenBy: taker, Ascending: true, Limit: 10}
		page, err := s.CallsPage(t.Context(), "bakery", f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Items {
			ids = append(ids, c.ID)
		}
		return ids
	}
	server.Run(t, "UPDATE calls SET marked = 0, taker = ''")
	if got := list(""); len(got) != len(want) {
		t.Errorf("%v are listed, want all of %v", got, want)
	}
	if err := s.RenewMarks(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := list("user:amal"); !slices.Equal(got, want) {
		t.Errorf("%v are listed, want %v", got, want)
	}
	versions := func() []string {
		return strings.Fields(server.Run(t, "SELECT ctid || '/' || xmin FROM calls ORDER BY org, id"))
	}
	before := versions()
	server.Run(t, fmt.Sprintf("UPDATE calls SET marked = 0 WHERE id = '%s'", want[0]))
	if err := s.RenewMarks(t.Context()); err != nil {
		t.Fatal(err)
	}
	written := 0
	for i, version := range versions() {
		if version != before[i] {
			written++
		}
	}
	if written != 1 || !slices.Equal(list("user:amal"), want) {
		t.Errorf("%d rows were written anew, want the one that was out of date; listed %v", written, list("user:amal"))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
