package bulk_test

import (
	"fmt"
	"testing"
	"time"

	"munadi/store/bulk"
)

var start = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// newBoard returns a board with waiting changes.
func newBoard(ids ...string) (b bulk.BulkBoard) {
	for _, id := range ids {
		b.AddChange(bulk.BulkChange{ID: id, BeginsAt: start}, start)
	}
	return b
}

// TestChangesRunInOrder: the changes of an organization run in order, each until its last batch.
func TestChangesRunInOrder(t *testing.T) {
	t.Parallel()
	b := newBoard("one", "two")
	if _, early := b.ClaimChange("a", false, start.Add(-time.Second)); early {
		t.Error("a change begins early")
	}
	for range 2 {
		if !b.UndoChange("two", start) {
			t.Error("a waiting change is not undone, or not twice")
		}
	}
	if b.UndoChange("three", start) {
		t.Error("an unknown change was undone")
	}
	b.AddChange(bulk.BulkChange{ID: "three", BeginsAt: start}, start)
	for _, next := range []string{"page 2", ""} {
		if c, ok := b.ClaimChange("a", false, start); !ok || c.ID != "one" {
			t.Fatalf("claimed %+v", c)
		}
		if _, twice := b.ClaimChange("b", false, start.Add(bulk.ClaimTime-time.Second)); twice || b.UndoChange("one", start) {
			t.Error("a running change is claimed twice, or undone")
		}
		if !b.RecordBatch("one", "a", []string{"x", "y"}, next) || !b.FinishBatch("one", "a", 1, 1, 100, start) {
			t.Error("the claim is lost")
		}
	}
	if c := b.FindChange("one"); c.State != bulk.Done || c.Changed != 2 || c.Left != 2 || c.EndedAt == nil {
		t.Errorf("it ended as %+v", c)
	}
	if c, ok := b.ClaimChange("a", false, start); !ok || c.ID != "three" {
		t.Errorf("then %+v", c)
	}
	b.RecordBatch("three", "a", []string{"x"}, "next")
	if b.FinishBatch("three", "a", 1, 0, 1, start); b.IsPending() {
		t.Error("it continues beyond the maximum number of calls")
	}
}

// TestTakenOver: a batch is taken over when its claim has expired, or immediately if no other worker exists; the
// previous worker can change nothing any more.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	b := newBoard("one")
	b.ClaimChange("a", false, start)
	b.RecordBatch("one", "a", []string{"x"}, "")
	c, ok := b.ClaimChange("b", false, start.Add(bulk.ClaimTime))
	if !ok || len(c.Batch) != 1 || c.Tries != 2 {
		t.Errorf("taken over: %v %+v", ok, c)
	}
	if b.FinishBatch("one", "a", 1, 0, 100, start) || b.RecordBatch("one", "a", nil, "") {
		t.Error("a lost claim counts")
	}
	if c, ok = b.ClaimChange("c", true, start); !ok || c.Claim != "c" {
		t.Errorf("alone: %v %+v", ok, c)
	}
	b.ReleaseClaim("one", "c")
	if c, ok = b.ClaimChange("d", false, start); !ok || c.Tries != 3 {
		t.Errorf("after a stop: %v %+v", ok, c)
	}
	for i := range 2 * bulk.MaxTries {
		b.ClaimChange("e", false, start.Add(time.Duration(i+2)*bulk.ClaimTime))
	}
	if b.FindChange("one").State != bulk.Broken {
		t.Errorf("after many tries: %+v", b.Changes)
	}
}

// TestBoardIsBounded: ended changes are dropped to make room for new ones, and after a day.
func TestBoardIsBounded(t *testing.T) {
	t.Parallel()
	var b bulk.BulkBoard
	for i := range 3 * bulk.MaxChanges {
		id := fmt.Sprint(i)
		if !b.AddChange(bulk.BulkChange{ID: id, BeginsAt: start}, start) {
			t.Fatal("no room beside ended changes")
		}
		if len(b.Changes) > bulk.MaxChanges {
			t.Fatalf("%d changes", len(b.Changes))
		}
		b.UndoChange(id, start)
	}
	b.AddChange(bulk.BulkChange{ID: "later", BeginsAt: start}, start.Add(bulk.KeepTime+time.Second))
	if len(b.Changes) != 1 {
		t.Errorf("after a day %d changes are kept", len(b.Changes))
	}
	for range 2 * bulk.MaxChanges {
		b.AddChange(bulk.BulkChange{BeginsAt: start}, start)
	}
	if len(b.Changes) != bulk.MaxChanges {
		t.Errorf("%d changes wait", len(b.Changes))
	}
}

// TestDropPending: changes of a restored backup that waited or ran end as dropped; ended ones stay as they were.
func TestDropPending(t *testing.T) {
	t.Parallel()
	b := newBoard("undone", "running", "waiting")
	b.UndoChange("undone", start)
	b.ClaimChange("a", false, start)
	b.RecordBatch("running", "a", []string{"x"}, "next")
	b.DropPending(start)
	for id, want := range map[string]bulk.ChangeState{
		"undone": bulk.Undone, "running": bulk.Dropped, "waiting": bulk.Dropped,
	} {
		if c := b.FindChange(id); c.State != want || c.EndedAt == nil || c.Batch != nil || c.Claim != "" {
			t.Errorf("%s is %+v", id, c)
		}
	}
	if _, claimed := b.ClaimChange("b", true, start.Add(time.Hour)); claimed || b.IsPending() {
		t.Error("a dropped change continues")
	}
}
