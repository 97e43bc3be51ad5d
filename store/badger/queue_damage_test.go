package badger

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4/y"

	"munadi/store"
	"munadi/store/account"
	"munadi/store/call"
	"munadi/store/callrules"
	"munadi/store/delivery"
	"munadi/store/job"
	"munadi/store/record"
	"munadi/store/storetest"
)

// breakRecords makes records unreadable.
func breakRecords(t *testing.T, s *BadgerStore, keys ...[]byte) {
	t.Helper()
	err := s.submitCommand(t.Context(), func(_ snapshotView, c *changeSet) error {
		for _, k := range keys {
			c.putRaw(k, []byte("{"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// hasEntry reports whether an index entry exists.
func hasEntry(t *testing.T, s *BadgerStore, key []byte) (found bool) {
	t.Helper()
	err := s.readSnapshot(t.Context(), func(v snapshotView) (err error) {
		found, err = v.hasKey(key)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// endCalls books and stops calls one second apart and returns their deliveries, earliest first.
func endCalls(t *testing.T, s *BadgerStore, n int) (owed []delivery.Delivery) {
	t.Helper()
	for i := range n {
		c := newTestCall("bakery")
		if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
			t.Fatal(err)
		}
		now := testClock().Add(time.Duration(i) * time.Second)
		if _, err := s.StopCall(t.Context(), "bakery", c.ID, call.NoVoice, now); err != nil {
			t.Fatal(err)
		}
		d, err := s.DeliveryOf(t.Context(), "bakery", c.ID)
		if err != nil || d == nil {
			t.Fatal(d, err)
		}
		owed = append(owed, *d)
	}
	return owed
}

// TestQueuesPassUnreadableRecords: unreadable records at the head of a queue do not displace readable ones.
func TestQueuesPassUnreadableRecords(t *testing.T) {
	t.Parallel()
	s, ctx := openCalls(t, "", OpenOptions{InMemory: true}, "bakery"), t.Context()
	owed := endCalls(t, s, 10)
	var last call.Call
	for i := range 10 {
		last = newTestCall("bakery")
		last.ScheduledAt = testClock().Add(time.Duration(i) * time.Second)
		if _, err := s.BookCall(ctx, last, "key:x", nil); err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("job%d", i)
		j := job.Job{ID: id, OrgID: "bakery", Status: job.Queued, CreatedAt: testClock().Add(time.Duration(i) * time.Second)}
		if err := s.EnqueueJob(ctx, j, job.QueueLimits{}); err != nil {
			t.Fatal(err)
		}
		if i < 9 {
			breakRecords(t, s, joinKey("call", "bakery", last.ID), joinKey("delivery", "bakery", owed[i].ID),
				joinKey("job", "bakery", id))
		}
	}
	now, eight := testClock().Add(time.Hour), func(string) int { return 8 }
	if due, _, err := s.DueCallsOf(ctx, eight, now, 8); err != nil || len(due) != 1 || due[0].ID != last.ID {
		t.Errorf("calls: %v, %v", due, err)
	}
	if due, _, err := s.DueDeliveries(ctx, eight, nil, now, 8); err != nil || len(due) != 1 || due[0].ID != owed[9].ID {
		t.Errorf("deliveries: %v, %v", due, err)
	}
	if j, found, err := s.ClaimJob(ctx, now); err != nil || !found || j.ID != "job9" {
		t.Errorf("job: %+v, %v, %v", j, found, err)
	}
}

// TestStaleQueueEntriesAreDropped: an entry that its record contradicts is not processed, and is deleted.
func TestStaleQueueEntriesAreDropped(t *testing.T) {
	t.Parallel()
	s, ctx, now := openCalls(t, "", OpenOptions{InMemory: true}, "bakery"), t.Context(), testClock().Add(time.Hour)
	owed := endCalls(t, s, 2)
	if _, err := s.RecordTry(ctx, "bakery", owed[0].ID, delivery.DeliveryTry{At: now, StatusCode: 200}, now); err != nil {
		t.Fatal(err)
	}
	endJob(t, s)
	stale := [][]byte{
		joinKey(kindDeliveryDue, "bakery", record.LaneOfCalls, encodeTime(owed[0].NextAt), encodeRank(1), owed[0].ID),
		joinKey("call-due", "bakery", encodeTime(testClock()), encodeTime(testClock()), owed[0].CallID),
		joinKey("call-due", "bakery", encodeTime(testClock()), encodeTime(testClock()), "call_removed"),
		joinKey("job-queue", encodeTime(testClock()), "bakery", "one"),
		joinKey("job-callback", encodeTime(testClock()), "bakery", "one"),
		joinKey("job-callback", encodeTime(testClock()), "bakery", "removed"),
	}
	err := s.submitCommand(ctx, func(_ snapshotView, c *changeSet) error {
		for _, k := range stale {
			c.putIndex(k)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if due, _, err := storetest.FindDueCalls(ctx, s, now, 10); err != nil || len(due) != 0 {
		t.Errorf("calls: %v, %v", due, err)
	}
	due, _, err := s.DueDeliveries(ctx, func(string) int { return 8 }, nil, now, 8)
	if err != nil || len(due) != 1 || due[0].ID != owed[1].ID {
		t.Errorf("deliveries: %v, %v", due, err)
	}
	if j, found, err := s.ClaimJob(ctx, now); err != nil || found {
		t.Errorf("job: %+v, %v", j, err)
	}
	if jobs, _, err := s.DueCallbacks(ctx, nil, now, 10); err != nil || len(jobs) != 0 {
		t.Errorf("callbacks: %v, %v", jobs, err)
	}
	for _, k := range stale {
		if hasEntry(t, s, k) {
			t.Errorf("the entry %s is still there", k)
		}
	}
	checkIndexes(t, s)
}

// TestTryOfUnreadableCallIsRecorded: without the call, whose person may have been erased, no bodies are kept.
func TestTryOfUnreadableCallIsRecorded(t *testing.T) {
	t.Parallel()
	s, now := openCalls(t, "", OpenOptions{InMemory: true}, "bakery"), testClock()
	d := endCalls(t, s, 1)[0]
	breakRecords(t, s, joinKey("call", "bakery", d.CallID))
	try := delivery.DeliveryTry{At: now, StatusCode: 500, Error: "x", Request: "body", Response: "no", Sent: []byte("body")}
	after, err := s.RecordTry(t.Context(), "bakery", d.ID, try, now)
	if err != nil || len(after.Tries) != 1 || after.Tries[0].Request != "" || after.Tries[0].Response != "" || after.Body != nil {
		t.Errorf("%+v, %v", after, err)
	}
}

// TestMalformedIndexEntry: the record of a malformed index entry is unreadable, not missing.
func TestMalformedIndexEntry(t *testing.T) {
	t.Parallel()
	s := openCalls(t, "", OpenOptions{InMemory: true}, "bakery")
	k := account.APIKey{ID: "k", OrgID: "bakery", Hash: []byte{1, 2}, CreatedAt: testClock()}
	if err := s.CreateKey(t.Context(), k, "test"); err != nil {
		t.Fatal(err)
	}
	if found, err := s.KeyByHash(t.Context(), k.Hash); err != nil || found.ID != "k" {
		t.Fatalf("%+v, %v", found, err)
	}
	breakRecords(t, s, joinKey("key-hash", "0102"))
	if _, err := s.KeyByHash(t.Context(), k.Hash); !store.IsUnreadable(err) {
		t.Errorf("a malformed entry: %v", err)
	}
}

// TestLostCountersContinue: after its counters are lost, an organization's numbers continue behind the highest ones.
func TestLostCountersContinue(t *testing.T) {
	t.Parallel()
	s, ctx := openCalls(t, "", OpenOptions{InMemory: true}, "bakery"), t.Context()
	endCalls(t, s, 3)
	breakRecords(t, s, joinKey("audit-rank", "bakery"), joinKey("delivery-rank", "bakery"))
	before, err := s.AuditTrail(ctx, "bakery", 100, "")
	if err != nil {
		t.Fatal(err)
	}
	d := endCalls(t, s, 1)[0]
	if err := storetest.ReplaceRules(ctx, s, "bakery", callrules.CallRules{}, "user:x", testClock()); err != nil {
		t.Fatalf("an audited change: %v", err)
	}
	after, err := s.AuditTrail(ctx, "bakery", 100, "")
	if err != nil || len(after.Items) <= len(before.Items) {
		t.Errorf("%d audit entries, then %d, %v", len(before.Items), len(after.Items), err)
	}
	list, err := s.ListDeliveries(ctx, "bakery", "", 10, "")
	if err != nil || len(list.Items) != 4 || list.Items[0].ID != d.ID {
		t.Errorf("deliveries, latest first: %+v, %v", list.Items, err)
	}
	var next uint64
	err = s.updateTx(ctx, func(e writeTx) (err error) {
		next, err = e.lastNumber(joinKey("delivery-rank", "bakery"))
		return err
	})
	if err != nil || next != 3+counterGap+1 {
		t.Errorf("the next rank is %d, %v", next, err)
	}
}

// TestLostBootstrapRecord: a database whose damaged blocks may have held the record of its first start is not set up as
// a new one, and opens.
func TestLostBootstrapRecord(t *testing.T) {
	t.Parallel()
	s := openCalls(t, t.TempDir(), OpenOptions{}, "bakery")
	key := joinKey("bootstrap")
	s.unreadable.setDamage(damagedRanges{{from: y.KeyWithTs(key, math.MaxUint64), version: math.MaxUint64}})
	first := account.Organization{ID: "default", Name: "Default", CreatedAt: testClock()}
	if made, err := s.Bootstrap(t.Context(), first, nil, testClock()); made || err != nil {
		t.Errorf("set up again: %v, %v", made, err)
	}
}
