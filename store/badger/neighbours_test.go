package badger

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	badgerdb "github.com/dgraph-io/badger/v4"

	"munadi/store"
	"munadi/store/call"
	"munadi/store/campaign"
	"munadi/store/live"
)

// spoilRecords makes records unreadable.
func spoilRecords(t *testing.T, s *BadgerStore, keys ...[]byte) {
	t.Helper()
	err := s.db.Update(func(txn *badgerdb.Txn) error {
		for _, key := range keys {
			if err := txn.Set(key, []byte("{")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// runningCall books and releases a call of a campaign, or of none.
func runningCall(t *testing.T, s *BadgerStore, campaignID, number string) call.Call {
	t.Helper()
	c := newTestCall("bakery")
	c.PhoneNumber, c.CampaignID = number, campaignID
	_, err := s.BookCall(t.Context(), c, "key:x", &store.IdempotencyReceipt{Key: c.ID, MadeAt: c.CreatedAt})
	if err == nil {
		_, err = s.ReleaseCall(t.Context(), "bakery", c.ID, testClock())
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// spoilRelatedRecords makes the other records unreadable that the end of a call reads.
func spoilRelatedRecords(t *testing.T, s *BadgerStore, c call.Call) {
	t.Helper()
	spoilRecords(t, s, joinKey("org", "bakery"), joinKey("rules", "bakery"), joinKey("webhook", "bakery"),
		joinKey("scenario", "bakery", c.ScenarioID), joinKey("suppression", "bakery", c.PhoneNumber),
		joinKey("campaign", "bakery", c.CampaignID), joinKey("campaign-tally", "bakery", c.CampaignID))
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		for _, kind := range []string{"receipt", "call-tally"} {
			v.visitKeys(joinPrefix(kind), func(rest string) bool {
				spoilRecords(t, s, append(joinPrefix(kind), rest...))
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// wantEnded fails unless a call has ended with its retry and its notification.
func wantEnded(t *testing.T, s *BadgerStore, id string, status call.CallStatus) {
	t.Helper()
	c, err := s.FindCall(t.Context(), "bakery", id)
	if err != nil || c.Status != status || c.Attempt.NextID == nil {
		t.Fatalf("the call: %+v, %v", c, err)
	}
	if d, err := s.DeliveryOf(t.Context(), "bakery", id); err != nil || d == nil {
		t.Errorf("its notification: %+v, %v", d, err)
	}
	if next, err := s.FindCall(t.Context(), "bakery", *c.Attempt.NextID); err != nil || next.Status != call.Scheduled {
		t.Errorf("its retry: %+v, %v", next, err)
	}
}

// TestCallEndsDespiteDamage: the outcome of a call is stored, with its retry and its notification, although the other
// records cannot be read.
func TestCallEndsDespiteDamage(t *testing.T) {
	t.Parallel()
	s := openCalls(t, "", OpenOptions{InMemory: true}, "bakery")
	for _, campaignID := range []string{"", campaign.NewID()} {
		finished, rescued := runningCall(t, s, campaignID, "+966500000001"), runningCall(t, s, campaignID, "+966500000002")
		erased := runningCall(t, s, campaignID, "+966500000003")
		if _, err := s.ErasePerson(t.Context(), "bakery", erased.PhoneNumber, "key:x", testClock()); err != nil {
			t.Fatal(err)
		}
		spoilRelatedRecords(t, s, finished)
		spoilRelatedRecords(t, s, rescued)
		if _, err := s.FinishCall(t.Context(), "bakery", finished.ID, call.CallOutcome{Status: call.NoAnswer}, nil, testClock()); err != nil {
			t.Fatal(err)
		}
		wantEnded(t, s, finished.ID, call.NoAnswer)
		if _, err := s.FinishCall(t.Context(), "bakery", erased.ID, call.CallOutcome{Status: call.NoAnswer}, nil, testClock()); err != nil {
			t.Fatal(err)
		}
		if c, err := s.FindCall(t.Context(), "bakery", erased.ID); err != nil || c.PhoneNumber != "" {
			t.Errorf("the erased call: %+v, %v", c, err)
		}
		if all, err := s.RescueCalls(t.Context(), testClock()); err != nil || len(all) != 1 {
			t.Fatalf("rescued: %v, %v", all, err)
		}
		wantEnded(t, s, rescued.ID, call.Failed)
	}
}

// TestErasureDespiteDamage: readable calls are emptied, unreadable ones are counted, in the audit trail too.
func TestErasureDespiteDamage(t *testing.T) {
	t.Parallel()
	s := openCalls(t, "", OpenOptions{InMemory: true}, "bakery")
	var all []call.Call
	for range 3 {
		c := runningCall(t, s, "", "+966500000001")
		if _, err := s.FinishCall(t.Context(), "bakery", c.ID, call.CallOutcome{Status: call.NoAnswer}, nil, testClock()); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	spoilRecords(t, s, joinKey("call", "bakery", all[1].ID))
	done, err := s.ErasePerson(t.Context(), "bakery", "+966500000001", "key:x", testClock())
	if err != nil || done.Calls != 2 || done.Cancelled != 3 || done.Unreadable != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, i := range []int{0, 2} {
		if c, err := s.FindCall(t.Context(), "bakery", all[i].ID); err != nil || c.PhoneNumber != "" {
			t.Errorf("%+v, %v", c, err)
		}
	}
	page, err := s.AuditTrail(t.Context(), "bakery", 10, "")
	if err != nil || !strings.Contains(page.Items[0].Note, "1 records cannot be read") {
		t.Errorf("%+v, %v", page.Items, err)
	}
}

// TestRunningLiveWithDamage: an unreadable session does not hide others.
func TestRunningLiveWithDamage(t *testing.T) {
	t.Parallel()
	s := openCalls(t, "", OpenOptions{InMemory: true}, "bakery")
	for _, id := range []string{"1", "2", "3"} {
		if err := s.BeginLive(t.Context(), live.LiveSession{ID: id, OrgID: "bakery", StartedAt: testClock()}); err != nil {
			t.Fatal(err)
		}
	}
	spoilRecords(t, s, joinKey("live", "bakery", "1"))
	if all, err := s.RunningLive(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestUpgradePastDamage: a database with a damaged value log is upgraded, and unreadable records are logged.
func TestUpgradePastDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openCalls(t, dir, OpenOptions{}, "bakery")
	var ids []string
	for i := range 3 {
		c := newTestCall("bakery")
		c.CreatedAt = c.CreatedAt.Add(time.Duration(i) * time.Second)
		c.Metadata = map[string]string{"much": strings.Repeat("x", 100<<10)} // stored in the value log
		if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	err := s.db.Update(func(txn *badgerdb.Txn) error { return txn.Set(formatKey, []byte("3")) })
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*.vlog"))
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	content, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	flipByte(t, logs[0], int64(bytes.Index(content, []byte(ids[1]))+200))
	var said bytes.Buffer
	again := openTest(t, dir, OpenOptions{Logger: slog.New(slog.NewTextHandler(&said, nil))})
	if !strings.Contains(said.String(), "call/bakery/"+ids[1]) || again.Integrity().IsWhole() {
		t.Errorf("nothing is said: %v\n%s", again.Integrity(), &said)
	}
	readable := 0
	for i, id := range ids {
		_, err := again.FindCall(t.Context(), "bakery", id)
		if code := store.CodeOf(err); i == 0 && code != "" || i == 1 && code != store.CodeCorrupt {
			t.Errorf("call %d: %v", i, err)
		}
		if err == nil { // Badger truncates the last value log at its first damaged entry
			readable++
		}
	}
	ctx, report := store.CollectDamage(t.Context())
	page, err := again.CallsPage(ctx, "bakery", store.CallFilter{Sort: store.SortByDueTime, Limit: 10})
	if err != nil || len(page.Items) != readable || report.IsEmpty() {
		t.Errorf("%d of %d calls, %v", len(page.Items), readable, err)
	}
}

// TestKnownTablesAreNotReadAgain: a reopening reads only the tables that were not verified before it.
func TestKnownTablesAreNotReadAgain(t *testing.T) {
	t.Parallel()
	f := fillFolder(t, OpenOptions{}, 120)
	state, err := readManifest(f.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	known := verifiedTables{}
	for id := range state.manifest.Tables {
		if known[id], err = state.verifyTable(f.dir, id); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(f.dir, tableName(id))
		flipByte(t, path, 20)
		if err := os.Chtimes(path, time.Time{}, known[id].written); err != nil { // as a failing disk would
			t.Fatal(err)
		}
	}
	if all, err := state.verifyTables(f.dir, known); err != nil || countDamaged(all) > 0 || len(all) != len(known) {
		t.Errorf("known tables were read: %v, %v", all, err)
	}
	if all, err := state.verifyTables(f.dir, nil); err != nil || countDamaged(all) != len(known) {
		t.Errorf("unknown tables were not read: %v, %v", all, err)
	}
	for id := range known {
		if err := os.Chtimes(filepath.Join(f.dir, tableName(id)), time.Time{}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := state.verifyTables(f.dir, known); err != nil || countDamaged(all) != len(known) {
		t.Errorf("tables that were written since were not read: %v, %v", all, err)
	}
}

func countDamaged(all verifiedTables) (n int) {
	for _, t := range all {
		if t.damaged {
			n++
		}
	}
	return n
}
