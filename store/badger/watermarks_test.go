package badger

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"munadi/store/call"
	"munadi/store/storetest"
)

// TestWatermarksHideNothing books and releases calls concurrently while others list due calls: every acknowledged call is
// found by later reads, the earliest first.
func TestWatermarksHideNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds of processor time")
	}
	s := openCalls(t, t.TempDir(), OpenOptions{}, "bakery")
	const workers, rounds = 12, 25
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				c := newTestCall("bakery")
				// Later workers and rounds book earlier times, so that watermarks must fall as often as they rise.
				c.ScheduledAt = c.ScheduledAt.Add(-time.Duration(i*workers+w+1) * time.Second)
				if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
					t.Error(err)
					return
				}
				wantDue(t, s, c.ID, true)
				if i%4 == 3 {
					continue
				}
				if _, err := s.StopCall(t.Context(), "bakery", c.ID, call.NoVoice, testClock()); err != nil {
					t.Error(err)
					return
				}
				wantDue(t, s, c.ID, false)
				d, err := s.DeliveryOf(t.Context(), "bakery", c.ID)
				if err != nil || d == nil {
					t.Error(d, err)
					return
				}
				if due, _, err := s.DueDeliveries(t.Context(), func(string) int { return 1 }, nil, testClock(), 1); err != nil || len(due) != 1 {
					t.Errorf("a delivery is pending and %d are due, %v", len(due), err)
				}
			}
		})
	}
	wg.Wait()
	checkWatermarks(t, s)
}

// wantDue fails unless a call is among the due calls, or is not.
func wantDue(t *testing.T, s *BadgerStore, id string, want bool) {
	t.Helper()
	due, _, err := storetest.FindDueCalls(t.Context(), s, testClock().Add(time.Hour), 10_000)
	if found := slices.ContainsFunc(due, func(c call.Call) bool { return c.ID == id }); err != nil || found != want {
		t.Errorf("call %s is due: %v, want %v; %v", id, found, want, err)
	}
}

// checkWatermarks fails for a queue entry below the watermark of its partition.
func checkWatermarks(t *testing.T, s *BadgerStore) {
	t.Helper()
	err := s.readSnapshot(t.Context(), func(v snapshotView) error {
		for kind := range queues {
			v.visitKeys(joinPrefix(kind), func(rest string) bool {
				part, place := partOf(append(joinPrefix(kind), rest...))
				if floor, known := s.watermarks.floors[part]; !known || place < floor {
					t.Errorf("%s%s lies before the floor %q", part, place, floor)
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWatermarksAfterReopening: the watermarks are rebuilt from the database.
func TestWatermarksAfterReopening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := OpenStore(dir, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openCalls(t, dir, OpenOptions{}, "bakery")
	var ids []string
	for i := range 5 {
		c := newTestCall("bakery")
		c.ScheduledAt = c.ScheduledAt.Add(time.Duration(i))
		if _, err := s.BookCall(t.Context(), c, "key:x", nil); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	if _, err := s.ReleaseCall(t.Context(), "bakery", ids[0], testClock()); err != nil {
		t.Fatal(err)
	}
	again := openTest(t, copyFolder(t, dir), OpenOptions{})
	checkWatermarks(t, again)
	wantDue(t, again, ids[0], false)
	wantDue(t, again, ids[1], true)
}

// TestWatermarksRise: a watermark rises to the first entry found, but not above commits in flight.
func TestWatermarksRise(t *testing.T) {
	t.Parallel()
	m := &lowWatermarks{floors: map[string]string{}, flying: map[string]string{}, readers: map[*watermarkReader]struct{}{}}
	part := string(joinPrefix("call-due", "bakery"))
	add := func(place string) []keyChange { return []keyChange{{key: []byte(part + place), value: []byte{}}} }
	want := func(what, floor string) {
		t.Helper()
		if got := m.floors[part]; got != floor {
			t.Errorf("%s: the floor is %q, want %q", what, got, floor)
		}
	}
	m.beginWrite(add("5"))
	m.endWrite()
	want("after a first entry", "5")
	r := m.beginRead()
	m.raiseWatermarks(r, map[string]string{part: "7"})
	want("raised", "7")
	r = m.beginRead()
	m.beginWrite(add("6"))
	m.raiseWatermarks(r, map[string]string{part: "9"})
	want("raised past what is on its way", "7")
	m.endWrite()
	want("after it arrived", "6")
	m.beginWrite(add("3"))
	r = m.beginRead()
	m.endWrite()
	m.raiseWatermarks(r, map[string]string{part: "8"})
	want("raised by one who began before it arrived", "3")
	m.raiseWatermarks(m.beginRead(), map[string]string{part: beyond})
	want("found empty", beyond)
	if parts := m.beginRead().possibleParts(joinPrefix("call-due")); len(parts) != 0 {
		t.Errorf("an empty part is looked at: %v", parts)
	}
	m.beginWrite([]keyChange{{key: []byte(part + "1")}}) // a deletion adds nothing
	m.endWrite()
	want("after a deletion", beyond)
	if part, place := partOf([]byte("delivery-due/bakery/0/0007/dlv_1")); part != "delivery-due/bakery/0/" || place != "0007/dlv_1" {
		t.Error(part, place)
	}
	if part, _ := partOf([]byte("call/bakery/x")); part != "" {
		t.Error(fmt.Sprint("a record is taken for a queue's: ", part))
	}
}

// BenchmarkDueAfterACampaign lists due calls when 20,000 calls have just been released, whose deleted entries lie
// before it.
func BenchmarkDueAfterACampaign(b *testing.B) {
	s := openCalls(b, b.TempDir(), OpenOptions{}, "bakery")
	var ids sync.Map
	const calls, at = 20_000, 256
	spreadOver(at, calls, func(i int) {
		c := newTestCall("bakery")
		c.ScheduledAt = testClock().Add(time.Duration(i))
		ids.Store(i, c.ID)
		if _, err := s.BookCall(b.Context(), c, "key:x", nil); err != nil {
			b.Error(err)
		}
	})
	spreadOver(at, calls-10, func(i int) {
		id, _ := ids.Load(i)
		if _, err := s.StopCall(b.Context(), "bakery", id.(string), call.NoVoice, testClock()); err != nil {
			b.Error(err)
		}
	})
	for b.Loop() {
		if due, _, err := storetest.FindDueCalls(b.Context(), s, testClock().Add(time.Hour), 50); err != nil || len(due) != 10 {
			b.Fatal(len(due), err)
		}
	}
}

// spreadOver runs n operations concurrently.
func spreadOver(workers, n int, do func(i int)) {
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}
