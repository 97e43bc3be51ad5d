package storetest

import (
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/call"
)

// dueIDs returns the ids of the due calls.
func dueIDs(t *testing.T, s store.Store, now time.Time, limit int) ([]string, time.Time) {
	t.Helper()
	due, next, err := FindDueCalls(t.Context(), s, now, limit)
	wantCode(t, "DueCalls", err, "")
	var ids []string
	for _, c := range due {
		if c.Status != call.Scheduled || c.ScheduledAt.After(now) {
			t.Fatalf("due at %v: %s, scheduled at %v", now, c.Status, c.ScheduledAt)
		}
		ids = append(ids, c.ID)
	}
	return ids, next
}

// callsDue: due calls are returned earliest first over all organizations, calls of equal time in order of creation,
// with the next dial time in the future.
func callsDue(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "bakery-2", "airline")
	a, b, c, d := newCall("bakery", 3*time.Second), newCall("airline", time.Second), newCall("bakery-2", 2*time.Second),
		newCall("bakery", time.Hour)
	first, second := newCall("zoo", 0), newCall("zoo", 0)
	addOrganizations(t, s, "zoo")
	first.ScheduledAt, second.ScheduledAt = d.ScheduledAt.Add(-time.Second), d.ScheduledAt.Add(-time.Second)
	first.CreatedAt, second.CreatedAt = startTime().Add(-2), startTime().Add(-1)
	bookCalls(t, s, second, a, b, c, d, first)
	for _, e := range []struct {
		after time.Duration
		limit int
		want  []string
		next  time.Time
	}{
		{-1, 10, nil, b.ScheduledAt},
		{time.Second, 10, []string{b.ID}, c.ScheduledAt},
		{time.Minute, 10, []string{b.ID, c.ID, a.ID}, first.ScheduledAt},
		{time.Minute, 2, []string{b.ID, c.ID}, first.ScheduledAt},
		{time.Minute, 0, nil, first.ScheduledAt},
		{2 * time.Hour, 10, []string{b.ID, c.ID, a.ID, first.ID, second.ID, d.ID}, time.Time{}},
	} {
		got, next := dueIDs(t, s, startTime().Add(e.after), e.limit)
		if !slices.Equal(got, e.want) || !next.Equal(e.next) {
			t.Errorf("after %v: %v, next %v; want %v, %v", e.after, got, next, e.want, e.next)
		}
	}
}

// callsDueOf: an organization without room is skipped, and the calls of others are returned in order.
func callsDueOf(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery", "bakery-2", "airline")
	var backlog []call.Call
	for i := range 5 {
		backlog = append(backlog, newCall("bakery", time.Duration(i)*time.Second))
	}
	other, later := newCall("bakery-2", time.Minute), newCall("bakery-2", time.Hour)
	hidden := newCall("airline", 30*time.Minute)
	bookCalls(t, s, append(backlog, other, later, hidden)...)
	now := startTime().Add(10 * time.Minute)
	for _, e := range []struct {
		room  map[string]int
		limit int
		want  []string
		next  time.Time
	}{
		{map[string]int{"bakery-2": 9}, 9, []string{other.ID}, later.ScheduledAt},
		{map[string]int{"bakery-2": 9}, 0, nil, later.ScheduledAt},
		{map[string]int{"bakery": 2, "bakery-2": 1}, 9, []string{backlog[0].ID, backlog[1].ID, other.ID}, later.ScheduledAt},
		{map[string]int{"bakery": 9, "bakery-2": 1}, 2, []string{backlog[0].ID, backlog[1].ID}, later.ScheduledAt},
		{map[string]int{"airline": 1, "bakery-2": 1}, 9, []string{other.ID}, hidden.ScheduledAt},
		{nil, 9, nil, time.Time{}},
	} {
		asked := map[string]int{}
		room := func(orgID string) int { asked[orgID]++; return e.room[orgID] }
		due, next, err := s.DueCallsOf(t.Context(), room, now, e.limit)
		wantCode(t, "DueCallsOf", err, "")
		var got []string
		for _, c := range due {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, e.want) || !next.Equal(e.next) {
			t.Errorf("with room %v, at most %d: %v, next %v; want %v, %v", e.room, e.limit, got, next, e.want, e.next)
		}
		for orgID, n := range asked {
			if n > 1 {
				t.Errorf("room was called %d times for %s", n, orgID)
			}
		}
	}
}

// callsNoLongerDue: a call that is moved, or is no longer scheduled, is not due any more.
func callsNoLongerDue(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	for name, take := range map[string]func(call.Call) error{
		"release": func(c call.Call) error { _, err := s.ReleaseCall(t.Context(), "bakery", c.ID, startTime()); return err },
		"stop": func(c call.Call) error {
			_, err := s.StopCall(t.Context(), "bakery", c.ID, call.NoVoice, startTime())
			return err
		},
		"cancel": func(c call.Call) error {
			_, err := s.CancelCall(t.Context(), "bakery", c.ID, asked, startTime())
			return err
		},
		"move": func(c call.Call) error {
			_, err := s.RescheduleCall(t.Context(), "bakery", c.ID, startTime().Add(time.Hour), call.Moved, "scheduler", startTime())
			return err
		},
	} {
		c := newCall("bakery", 0)
		bookCalls(t, s, c)
		if got, _ := dueIDs(t, s, startTime(), 10); !slices.Contains(got, c.ID) {
			t.Fatalf("before %s: due are %v", name, got)
		}
		wantCode(t, name, take(c), "")
		if got, _ := dueIDs(t, s, startTime(), 10); slices.Contains(got, c.ID) {
			t.Errorf("after %s it is still due", name)
		}
	}
	if got, _ := dueIDs(t, s, startTime().Add(time.Hour), 10); len(got) != 1 {
		t.Errorf("an hour later %d calls are due, want the moved one", len(got))
	}
}

// callsReturned: a requeued call is due at its new time, does not count as an attempt, and has a timeline entry; a call
// with a requested hang-up, or whose person was erased, is not requeued.
func callsReturned(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	ctx, now, c := t.Context(), startTime(), newCall("bakery", 0)
	bookCalls(t, s, c)
	releaseCall(t, s, c, now)
	later := now.Add(time.Minute)
	got, err := s.ReturnCall(ctx, "bakery", c.ID, later, "SIP status 503", now)
	if wantCode(t, "ReturnCall", err, ""); got.Status != call.Scheduled || got.ReleasedAt != nil || got.Returns != 1 {
		t.Fatalf("it is %+v", got)
	}
	if ids, next := dueIDs(t, s, now, 10); len(ids) != 0 || !next.Equal(later) {
		t.Errorf("due are %v, next %v", ids, next)
	}
	if n, err := s.CountAttempts(ctx, "bakery", c.PhoneNumber, now.Add(-time.Hour), later); err != nil || n != 0 {
		t.Errorf("%d attempts, %v", n, err)
	}
	if want := []string{"booked", "released", "returned"}; !slices.Equal(timelineEvents(t, s, c), want) {
		t.Errorf("its timeline is %v", timelineEvents(t, s, c))
	}
	_, err = s.ReturnCall(ctx, "bakery", c.ID, later, "", now)
	wantCode(t, "ReturnCall of a scheduled call", err, store.CodeConflict)
	releaseCall(t, s, c, later)
	_, err = s.HangupCall(ctx, "bakery", c.ID, asked, later)
	wantCode(t, "HangupCall", err, "")
	_, err = s.ReturnCall(ctx, "bakery", c.ID, later, "", later)
	wantCode(t, "ReturnCall of a call to be hung up", err, store.CodeConflict)
	wantCall(t, s, c, call.Dialing)
	erased := newCall("bakery", 0)
	erased.PhoneNumber = "+966500000077"
	bookCalls(t, s, erased)
	releaseCall(t, s, erased, later)
	_, err = s.ErasePerson(ctx, "bakery", erased.PhoneNumber, asked, later)
	wantCode(t, "ErasePerson", err, "")
	_, err = s.ReturnCall(ctx, "bakery", erased.ID, later, "", later)
	wantCode(t, "ReturnCall of an erased person's call", err, store.CodeConflict)
}
