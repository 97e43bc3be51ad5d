package service_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"munadi/appliance/service"
	"munadi/store"
	"munadi/store/account"
	"munadi/store/badger"
	"munadi/store/call"
)

// TestBulkChange: nothing happens before the time to undo it is over; then every scheduled call that matches is
// changed, whatever their number, and no other calls.
func TestBulkChange(t *testing.T) {
	t.Parallel()
	s, err := badger.OpenStore("", badger.OpenOptions{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	book := func(orgID, scenarioID string, n int) {
		if err := s.CreateOrganization(t.Context(), account.Organization{ID: orgID, Name: orgID, CreatedAt: now}, "test"); err != nil &&
			store.CodeOf(err) != store.CodeConflict {
			t.Fatal(err)
		}
		for i := range n {
			id := call.NewID()
			c := call.Call{
				ID: id, OrgID: orgID, Status: call.Scheduled, PhoneNumber: fmt.Sprintf("+9665000%05d", i), ScenarioID: scenarioID,
				Booking: call.Booked, CreatedAt: now, ScheduledAt: now.Add(time.Hour),
				Attempt: call.AttemptChain{Number: 1, Max: 1, ChainID: id},
			}
			if _, err := s.BookCall(t.Context(), c, "test", nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	book("acme", "order", 450)
	book("acme", "visit", 3)
	book("other", "order", 2)
	var waiting []func()
	bulk := service.NewBulkChanges(
		&service.UseCases{Store: s, Now: func() time.Time { return now }},
		func(_ time.Duration, f func()) { waiting = append(waiting, f) },
	)
	who, orders := service.Caller{OrgID: "acme", Actor: "user:1"}, store.CallFilter{ScenarioID: "order", Sort: store.SortByDueTime}
	undone, err := bulk.StartChange(t.Context(), who, orders, time.Time{})
	if err != nil || undone.Count != 450 {
		t.Fatalf("%d calls match, %v", undone.Count, err)
	}
	if err := bulk.UndoChange("other", undone.ID); store.CodeOf(err) != store.CodeNotFound {
		t.Errorf("another organization undoes it: %v", err)
	}
	if err := bulk.UndoChange("acme", undone.ID); err != nil {
		t.Error(err)
	}
	waiting[0]()
	if n, _ := s.CountCalls(t.Context(), "acme", store.CallFilter{Statuses: []call.CallStatus{call.Scheduled}}, 1000); n != 453 {
		t.Errorf("after it was undone %d calls are scheduled", n)
	}
	done, err := bulk.StartChange(t.Context(), who, orders, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	waiting[1]()
	if done, err = bulk.FindChange("acme", done.ID); err != nil || done.State != service.BulkDone || done.Changed != 450 {
		t.Errorf("it ended as %+v, %v", done, err)
	}
	if err := bulk.UndoChange("acme", done.ID); store.CodeOf(err) != store.CodeConflict {
		t.Errorf("it is undone afterwards: %v", err)
	}
	for orgID, want := range map[string]int{"acme": 3, "other": 2} {
		n, err := s.CountCalls(t.Context(), orgID, store.CallFilter{Statuses: []call.CallStatus{call.Scheduled}}, 1000)
		if err != nil || n != want {
			t.Errorf("%s has %d scheduled calls, want %d, %v", orgID, n, want, err)
		}
	}
	if _, err := bulk.StartChange(t.Context(), who, orders, now.Add(time.Minute)); store.CodeOf(err) != store.CodeInvalid {
		t.Errorf("moved to a minute from now: %v", err)
	}
	for err = nil; err == nil && len(waiting) < 100; {
		_, err = bulk.StartChange(t.Context(), who, orders, time.Time{})
	}
	if !errors.Is(err, service.ErrBulkFull) {
		t.Errorf("one organization has no bound: %d changes wait, %v", len(waiting), err)
	}
	if _, err := bulk.StartChange(t.Context(), service.Caller{OrgID: "other"}, orders, time.Time{}); err != nil {
		t.Errorf("one organization takes the room of another: %v", err)
	}
}
