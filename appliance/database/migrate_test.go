package database_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"munadi/appliance/config"
	"munadi/appliance/database"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/bulk"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/campaign"
	"munadi/store/delivery"
	"munadi/store/job"
	"munadi/store/live"
	"munadi/store/postgres"
	"munadi/store/postgres/postgrestest"
	"munadi/store/restaurant"
	"munadi/store/scenario"
)

const org = "bakery"

var now = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

// fillStore adds records of every kind.
func fillStore(t *testing.T, s store.Store) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	key := account.APIKey{ID: "k", OrgID: org, Name: "key", Prefix: "mnd_k", Hash: []byte{1, 2, 3}, CreatedAt: now}
	_, err := s.Bootstrap(ctx, account.Organization{ID: org, Name: "Bakery", CreatedAt: now}, &key, now)
	must(err)
	_, err = s.ClaimInstallation(ctx, store.InstallationRecord{ID: "i", SecretCheck: []byte{1}, CreatedAt: now})
	must(err)
	must(s.CreateUser(ctx, account.User{ID: "u", OrgID: org, Name: "Amal", Role: account.Owner, CreatedAt: now}, "test"))
	must(s.CreateSession(ctx, account.UserSession{Hash: []byte{9}, UserID: "u", CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	_, _, err = s.ChangeWebhook(ctx, org, "test", now, func(delivery.WebhookSetting) delivery.WebhookSetting {
		return delivery.WebhookSetting{URL: "https://example.com", Enabled: true}
	})
	must(err)
	must(s.ChangeRules(ctx, org, "test", now, func(r *callrules.CallRules) error { r.TimeZone = "Asia/Riyadh"; return nil }))
	must(s.PutScenario(ctx, scenario.Scenario{ID: "visit", OrgID: org, Name: "زيارة"}, "test", now))
	must(s.PutPhrases(ctx, org, &restaurant.PhraseSet{Bias: []string{"شاورما"}}, "test", now))
	must(s.SetSession(ctx, org, "table-1", restaurant.Restaurant, now))
	var entries []callrules.SuppressionEntry
	for i := range 1100 {
		entries = append(entries, callrules.SuppressionEntry{OrgID: org, PhoneNumber: fmt.Sprintf("+9665%08d", i), CreatedAt: now})
	}
	must(s.AddSuppressions(ctx, entries, "test", now))
	must(s.BeginLive(ctx, live.LiveSession{ID: "0001", OrgID: org, StartedAt: now}))
	must(s.AddLiveSegment(ctx, org, "0001", live.LiveSegment{Text: "نعم"}))
	must(s.EnqueueJob(ctx, job.Job{ID: "j1", OrgID: org, Status: job.Queued, CreatedAt: now, Input: "j1.upload"}, job.QueueLimits{}))
	_, _, err = s.ClaimJob(ctx, now)
	must(err)
	must(s.FinishJob(ctx, org, "j1", json.RawMessage(`{"text": "نعم"}`), now))
	must(s.EnqueueJob(ctx, job.Job{ID: "j2", OrgID: org, Status: job.Queued, CreatedAt: now, Input: "j2.upload"}, job.QueueLimits{}))
	for i := range 20 {
		fillCall(t, s, i)
	}
	c := campaign.Campaign{ID: campaign.NewID(), OrgID: org, Name: "c", ScenarioID: "visit", Status: campaign.Running, CreatedAt: now}
	one := newCall(77)
	one.CampaignID = c.ID
	_, err = s.CreateCampaign(ctx, c, []call.Call{one}, "test", &store.IdempotencyReceipt{Key: "c", MadeAt: now})
	must(err)
	_, err = s.ChangeBulk(ctx, org, fillBulk)
	must(err)
}

// fillBulk adds a running and a waiting bulk change.
func fillBulk(b *bulk.BulkBoard) error {
	filter := json.RawMessage(`{"ScenarioID":"visit"}`)
	running := bulk.BulkChange{ID: "b1", Actor: "user:u", Filter: filter, Count: 9, BeginsAt: now, MoveTo: now.Add(time.Hour)}
	waiting := bulk.BulkChange{ID: "b2", Actor: "user:u", Filter: filter, Count: 7, BeginsAt: now.Add(time.Minute)}
	added := b.AddChange(running, now) && b.AddChange(waiting, now)
	_, claimed := b.ClaimChange("worker", false, now)
	if !added || !claimed || !b.RecordBatch("b1", "worker", []string{"x", "y"}, "page 2") {
		return errors.New("the bulk change does not run")
	}
	return nil
}

// newCall returns a call for the test.
func newCall(i int) call.Call {
	id := call.NewID()
	at := now.Add(time.Duration(i) * time.Minute)
	return call.Call{
		ID: id, OrgID: org, Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+96650000%04d", i), ScenarioID: "visit",
		CreatedAt: at, ScheduledAt: at, Attempt: call.AttemptChain{Number: 1, Max: 2, ChainID: id, Plan: call.RetryPlan{MaxAttempts: 2}},
	}
}

// fillCall books a call and ends every second one.
func fillCall(t *testing.T, s store.Store, i int) {
	t.Helper()
	c := newCall(i)
	_, err := s.BookCall(t.Context(), c, "test", &store.IdempotencyReceipt{Key: fmt.Sprint("key ", i), MadeAt: now})
	if err == nil && i%2 == 0 {
		_, err = s.ReleaseCall(t.Context(), org, c.ID, c.ScheduledAt)
		if err == nil {
			_, err = s.AnswerCall(t.Context(), org, c.ID, "bakery/a.wav", c.ScheduledAt)
		}
		if err == nil {
			o := call.CallOutcome{Status: call.Completed, Report: json.RawMessage(`{"confirmed": true}`), Messages: []call.Message{{Content: "نعم"}}}
			_, err = s.FinishCall(t.Context(), org, c.ID, o, nil, c.ScheduledAt)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// describeStore returns the results of queries, which must not depend on the kind of database.
func describeStore(t *testing.T, s store.Store) string {
	t.Helper()
	ctx := t.Context()
	var all []any
	add := func(what any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, what)
	}
	for _, f := range []store.CallFilter{
		{Limit: 200}, {Limit: 200, Sort: store.SortByDueTime, AnswerSlot: "confirmed", AnswerValue: "true"}, {Limit: 9, NumberEnds: "4"},
	} {
		page, err := s.CallsPage(ctx, org, f)
		page.Next = ""
		add(page, err)
		for _, c := range page.Items {
			found, err := s.FindCall(ctx, org, c.ID)
			add(found, err)
		}
	}
	for _, ask := range []func() (any, error){
		func() (any, error) { return s.KeyByHash(ctx, []byte{1, 2, 3}) },
		func() (any, error) { return s.UserByName(ctx, "amal") },
		func() (any, error) { return s.ListSessions(ctx, "u", now) },
		func() (any, error) { return s.FindReceipt(ctx, org, "key 3", now) },
		func() (any, error) { return s.FindJob(ctx, org, "j1") },
		func() (any, error) { return s.JobsPage(ctx, org, 9, "") },
		func() (any, error) { return s.CampaignsPage(ctx, org, 9, "") },
		func() (any, error) { return s.FindBulk(ctx, org) },
		func() (any, error) { return s.PendingBulk(ctx) },
		func() (any, error) { return s.LiveSession(ctx, org, "0001") },
		func() (any, error) { return s.ListDeliveries(ctx, org, delivery.Pending, 99, "") },
		func() (any, error) { return s.AuditTrail(ctx, org, 99, "") },
		func() (any, error) { return s.FindSuppression(ctx, org, "+966500000007", now) },
		func() (any, error) { return s.TallyCalls(ctx, org, time.Time{}, time.Time{}) },
		func() (any, error) {
			due, _, err := s.DueCallsOf(ctx, func(string) int { return 99 }, now.Add(9*time.Hour), 99)
			return due, err
		},
	} {
		add(ask())
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMigrateStore checks that all records are moved to PostgreSQL and back, that an interrupted migration is
// continued, and that a target that is in use or not empty is refused.
func TestMigrateStore(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the short tests start no database")
	}
	postgrestest.NeedServer(t)
	server, err := postgrestest.StartServer(false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	cfg := config.Default()
	cfg.Data = t.TempDir()
	source, err := badger.OpenStore(cfg.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	fillStore(t, source)
	want, url := describeStore(t, source), server.URL("")

	_, err = database.MigrateStore(t.Context(), cfg, "badger", url)
	if store.CodeOf(err) != store.CodeInUse || !strings.Contains(err.Error(), "stop its appliance first") {
		t.Errorf("the migration of a database that is open: %v", err)
	}
	cutOff(t, source, url)
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	report, err := database.MigrateStore(t.Context(), cfg, "badger", url)
	if err != nil || report.Records["suppression"] != 1100 || report.Records["call"] != 21 {
		t.Fatalf("moved %v, %v", report.Records, err)
	}
	shared, err := postgres.OpenStore(t.Context(), url, postgres.OpenOptions{Appliance: applianceOf(t, cfg.Data)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = shared.Close() }()
	if got := describeStore(t, shared); got != want {
		t.Error(cmp.Diff(want, got))
	}
	if _, err := database.MigrateStore(t.Context(), cfg, "badger", url); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("a target with data was taken: %v", err)
	}
	leased, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { shared.KeepLease(leased, postgres.LeaseHolder{}); close(ended) }()
	for shared.CheckUnused(t.Context()) == nil {
		time.Sleep(10 * time.Millisecond)
	}
	back := config.Default()
	back.Data = t.TempDir()
	if _, err := database.MigrateStore(t.Context(), back, url, "badger"); store.CodeOf(err) != store.CodeInUse {
		t.Errorf("a source in use was migrated: %v", err)
	}
	end()
	<-ended
	if _, err := database.MigrateStore(t.Context(), back, url, "badger"); err != nil {
		t.Fatal(err)
	}
	again, err := badger.OpenStore(back.DatabaseFolder(), badger.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if got := describeStore(t, again); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

// applianceOf returns the id of the appliance of a data folder.
func applianceOf(t *testing.T, data string) string {
	t.Helper()
	id, err := os.ReadFile(filepath.Join(data, "appliance", "id"))
	if err != nil {
		t.Fatal(err)
	}
	return string(id[:len(id)-1])
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
