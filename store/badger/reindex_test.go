package badger

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4/y"

	"munadi/store/job"
	"munadi/store/record"
)

// TestLostIndexEntriesAreRestored: scheduled calls, pending deliveries and queued jobs whose queue entries a damaged
// block held are found again, once per damage.
func TestLostIndexEntriesAreRestored(t *testing.T) {
	t.Parallel()
	s, ctx := openCalls(t, t.TempDir(), OpenOptions{}, "bakery"), t.Context()
	owed, c := endCalls(t, s, 3), newTestCall("bakery")
	if _, err := s.BookCall(ctx, c, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	j := job.Job{ID: "one", OrgID: "bakery", Status: job.Queued, CreatedAt: testClock()}
	if err := s.EnqueueJob(ctx, j, job.QueueLimits{}); err != nil {
		t.Fatal(err)
	}
	lost := [][]byte{
		entryOfRecord(t, "call", record.CallRecord{Call: c}, c.OrgID, c.ID), entryOfRecord(t, "job", j, j.OrgID, j.ID), joinKey("delivery-of", "bakery", owed[2].CallID),
		joinKey(kindDeliveryDue, "bakery", record.LaneOfCalls, encodeTime(owed[0].NextAt), encodeRank(1), owed[0].ID),
	}
	dropEntries := func() {
		err := s.submitCommand(ctx, func(_ snapshotView, c *changeSet) error {
			for _, k := range lost {
				c.deleteKey(k)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	dropEntries()
	var damage damagedRanges
	for _, k := range lost {
		damage = append(damage, lostRange{table: "000001-1.sst", from: y.KeyWithTs(k, 1), to: y.KeyWithTs(append(k, 0), 1), version: 1})
	}
	s.unreadable.setDamage(damage)
	if err := os.Mkdir(filepath.Join(s.dir, damagedFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	if n, err := s.restoreIndexEntries(ctx); err != nil || n != 4 {
		t.Errorf("%d records were indexed again, %v", n, err)
	}
	for _, k := range lost {
		if !hasEntry(t, s, k) {
			t.Errorf("the entry %s is missing", k)
		}
	}
	checkIndexes(t, s)
	if n, err := s.restoreIndexEntries(ctx); err != nil || n != 0 {
		t.Errorf("a second time: %d records were indexed again, %v", n, err)
	}
}

// TestReopeningResetsWatermarks: calls that a damaged block hid from a reader are found after the damage is removed.
func TestReopeningResetsWatermarks(t *testing.T) {
	t.Parallel()
	s := openCalls(t, t.TempDir(), OpenOptions{}, "bakery")
	c := newTestCall("bakery")
	if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
		t.Fatal(err)
	}
	reading := s.watermarks.beginRead()
	s.watermarks.raiseWatermarks(reading, map[string]string{string(joinPrefix("call-due", "bakery")): beyond}) // the reader saw none
	wantDue(t, s, c.ID, false)
	if err := s.reopenDatabase(nil); err != nil {
		t.Fatal(err)
	}
	wantDue(t, s, c.ID, true)
}

// entryOfRecord returns the first index entry of a record: that of the queue in which it waits.
func entryOfRecord(t *testing.T, kind string, record any, key ...string) []byte {
	t.Helper()
	raw, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := tableEntries(declaredTables[kind], key, raw)
	if err != nil {
		t.Fatal(err)
	}
	return entries[0].key
}

// TestLostMarkOfTheJobIndex checks that a database opens whose mark of a complete index of jobs was in a damaged block:
// the index is written again.
func TestLostMarkOfTheJobIndex(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), OpenOptions{})
	version := s.db.MaxVersion()
	s.writeKey(t, string(jobsListedKey), nil)
	s.unreadable.setDamage(damagedRanges{{
		table: "lost", from: y.KeyWithTs(jobsListedKey, version),
		to: y.KeyWithTs([]byte(string(jobsListedKey)+"\x00"), version), version: version,
	}})
	if err := s.listOldJobs(); err != nil {
		t.Error(err)
	}
}
