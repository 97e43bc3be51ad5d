package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"munadi/store"
)

// forwardAll forwards what is new in bakery's trail, n entries at a time, and returns their subjects.
func forwardAll(t *testing.T, s store.Store, now time.Time, n int) (subjects []string) {
	t.Helper()
	for more := true; more; {
		from, err := s.FindForwarding(t.Context(), "bakery")
		wantCode(t, "FindForwarding", err, "")
		batch, err := s.NextAudit(t.Context(), "bakery", from, now, n)
		wantCode(t, "NextAudit", err, "")
		if len(batch.Rows) > n || len(batch.Lost) > 0 {
			t.Fatalf("%d entries of at most %d, lost %v", len(batch.Rows), n, batch.Lost)
		}
		for _, row := range batch.Rows {
			if row.Chain == "" || row.Seq == 0 || len(row.Hash) == 0 {
				t.Errorf("an entry without its place: %+v", row)
			}
			subjects = append(subjects, row.Entry.Subject)
		}
		err = s.ChangeForwarding(t.Context(), "bakery", func(kept *store.AuditForwarding) error {
			*kept = batch.Next
			return nil
		})
		wantCode(t, "ChangeForwarding", err, "")
		more = batch.More
	}
	return subjects
}

// auditForwarded: each entry is forwarded once, in the order of the trail, whatever the limit and the time.
func auditForwarded(t *testing.T, s store.Store) {
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery")
	addOrganizations(t, s, "airline")
	addAudits(t, s, 25)
	begun := forwardAll(t, s, startTime(), 4) // all are recent
	want := []string{}
	for i := range 25 {
		want = append(want, fmt.Sprint(i))
	}
	if own := begun[len(begun)-25:]; !reflect.DeepEqual(own, want) { // before them that of the organization's creation
		t.Errorf("forwarded %v", begun)
	}
	if again := forwardAll(t, s, startTime(), 4); len(again) > 0 {
		t.Errorf("forwarded again: %v", again)
	}
	addAudits(t, s, 3)
	if next := forwardAll(t, s, startTime().Add(time.Hour), 100); !reflect.DeepEqual(next, want[:3]) {
		t.Errorf("forwarded then: %v", next)
	}
	from, err := s.FindForwarding(t.Context(), "bakery")
	if wantCode(t, "FindForwarding", err, ""); from.After == "" {
		t.Error("the place in the trail did not move")
	}
	addAudits(t, s, 1)
	if last := forwardAll(t, s, startTime().Add(time.Hour), 100); !reflect.DeepEqual(last, want[:1]) {
		t.Errorf("forwarded at the end: %v", last)
	}
}

// auditForwardedBeside: no entry is left out or forwarded twice while transactions append side by side.
func auditForwardedBeside(t *testing.T, s store.Store) {
	s.UseAuditKey(auditKey)
	addOrganizations(t, s, "bakery")
	const writers, each = 8, 12
	got := map[string]int{}
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			for i := range each {
				e := store.AuditEntry{At: startTime(), Actor: asked, Action: "test.add", Subject: fmt.Sprint(n, "/", i)}
				wantCode(t, "AddAudit", s.AddAudit(t.Context(), "bakery", e), "")
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		default:
		}
		for _, subject := range forwardAll(t, s, startTime().Add(time.Hour), 7) { // as if all were settled
			got[subject]++
		}
	}
	for n := range writers {
		for i := range each {
			if times := got[fmt.Sprint(n, "/", i)]; times != 1 {
				t.Errorf("entry %d of writer %d was forwarded %d times", i, n, times)
			}
		}
	}
}

// auditForwardingTaken: one appliance forwards at a time; a refused change changes nothing.
func auditForwardingTaken(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	take := func(holder string, at time.Time) (taken bool) {
		err := s.ChangeForwarding(t.Context(), "bakery", func(kept *store.AuditForwarding) error {
			taken = kept.TakeTurn(holder, at, time.Minute)
			return nil
		})
		wantCode(t, "ChangeForwarding", err, "")
		return taken
	}
	now := startTime()
	if !take("one", now) || take("two", now.Add(time.Second)) || !take("one", now.Add(2*time.Second)) {
		t.Error("two appliances hold it at once, or the holder lost it")
	}
	if !take("two", now.Add(62*time.Second)) || take("one", now.Add(63*time.Second)) {
		t.Error("a silent holder keeps it")
	}
	if !take("one", now.Add(-time.Hour)) {
		t.Error("a clock that was set back keeps it")
	}
	kept, err := s.FindForwarding(t.Context(), "bakery")
	wantCode(t, "FindForwarding", err, "")
	if kept.IsHeld("one", kept.Turn-1, now.Add(-time.Hour)) || !kept.IsHeld("one", kept.Turn, now.Add(-time.Hour)) {
		t.Errorf("held by %+v", kept)
	}
	refused := errors.New("refused")
	err = s.ChangeForwarding(t.Context(), "bakery", func(kept *store.AuditForwarding) error {
		kept.Holder = "three"
		return refused
	})
	if after, _ := s.FindForwarding(t.Context(), "bakery"); !errors.Is(err, refused) || after.Holder != "one" {
		t.Errorf("refused with %v, holder %s", err, after.Holder)
	}
	change := func(*store.AuditForwarding) error { return nil }
	wantCode(t, "forwarding of nobody", s.ChangeForwarding(t.Context(), "nobody", change), store.CodeNotFound)
}
