package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/restaurant"
)

// sessionModes: a session is in the mode it was put into until it idles away.
func sessionModes(t *testing.T, s store.Store) {
	wantMode(t, s, "table-1", clock(), restaurant.Default)
	set := func(mode restaurant.Mode, now time.Time) {
		wantCode(t, "SetSession", s.SetSession(t.Context(), "bakery", "table-1", mode, now), "")
	}
	set(restaurant.Restaurant, clock())
	wantMode(t, s, "table-1", clock().Add(restaurant.Idle-1), restaurant.Restaurant)
	wantMode(t, s, "table-1", clock().Add(restaurant.Idle), restaurant.Default)
	wantMode(t, s, "table-2", clock(), restaurant.Default)
	set(restaurant.Default, clock().Add(time.Minute))
	wantMode(t, s, "table-1", clock().Add(time.Minute), restaurant.Default)
	set(restaurant.Default, clock().Add(time.Minute))
	for _, id := range []string{"", "a/b", "a b"} {
		err := s.SetSession(t.Context(), "bakery", id, restaurant.Restaurant, clock())
		wantCode(t, "session "+id, err, store.CodeInvalid)
	}
}

// sessionTouched: a request restarts the idle time, and never the mode.
func sessionTouched(t *testing.T, s store.Store) {
	wantCode(t, "SetSession", s.SetSession(t.Context(), "bakery", "a", restaurant.Restaurant, clock()), "")
	touch := func(after time.Duration, want restaurant.Mode) {
		t.Helper()
		session, err := s.TouchSession(t.Context(), "bakery", "a", clock().Add(after))
		if wantCode(t, "TouchSession", err, ""); session.Mode != want || session.ID != "a" || session.OrgID != "bakery" {
			t.Fatalf("touched after %v: %+v, want mode %s", after, session, want)
		}
	}
	touch(20*time.Minute, restaurant.Restaurant)
	touch(10*time.Minute, restaurant.Restaurant) // a late answer does not set the time back
	touch(49*time.Minute, restaurant.Restaurant)
	touch(79*time.Minute, restaurant.Default)
	wantMode(t, s, "a", clock().Add(80*time.Minute), restaurant.Default)
	wantCode(t, "SetSession", s.SetSession(t.Context(), "bakery", "a", restaurant.Default, clock()), "")
	touch(0, restaurant.Default)
}

// sessionsExpire: only idle ones are forgotten, however many.
func sessionsExpire(t *testing.T, s store.Store) {
	const n = 1200
	for i := range n {
		at := clock().Add(time.Duration(i%2) * time.Hour)
		err := s.SetSession(t.Context(), "bakery", fmt.Sprint("s", i), restaurant.Restaurant, at)
		wantCode(t, "SetSession", err, "")
	}
	for _, want := range []int{n / 2, 0} {
		gone, err := s.ExpireSessions(t.Context(), clock().Add(time.Hour))
		if wantCode(t, "ExpireSessions", err, ""); gone != want {
			t.Fatalf("%d sessions expired, want %d", gone, want)
		}
	}
	wantMode(t, s, "s1", clock().Add(time.Hour), restaurant.Restaurant)
}

// phrases: nil without a record, kept as given, gone again with nil.
func phrases(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	want := &restaurant.Phrases{Bias: []string{"شاورما", "برجر"}, Enter: []string{}, UpdatedAt: clock()}
	wantCode(t, "phrases of nobody", s.PutPhrases(t.Context(), "nobody", want), store.CodeNotFound)
	for _, put := range []*restaurant.Phrases{nil, want, nil} {
		wantCode(t, "PutPhrases", s.PutPhrases(t.Context(), "bakery", put), "")
		got, err := s.Phrases(t.Context(), "bakery")
		wantCode(t, "Phrases", err, "")
		if (got == nil) != (put == nil) {
			t.Fatalf("put %v, got %v", put, got)
		}
		if got == nil {
			continue
		}
		if !slices.Equal(got.Bias, put.Bias) || got.Enter == nil || len(got.Enter) != 0 || got.Exit != nil {
			t.Fatalf("put %+v, got %+v", put, got)
		}
	}
}

// wantMode fails unless the bakery's session is in that mode at now.
func wantMode(t *testing.T, s store.Store, id string, now time.Time, want restaurant.Mode) {
	t.Helper()
	session, err := s.Session(t.Context(), "bakery", id, now)
	if wantCode(t, "Session", err, ""); session.Mode != want || session.ID != id || session.OrgID != "bakery" {
		t.Fatalf("session %+v, want mode %s", session, want)
	}
}
