package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"munadi/store"
	"munadi/store/restaurant"
)

// sessionModes: a session stays in its mode until the idle timeout.
func sessionModes(t *testing.T, s store.Store) {
	wantMode(t, s, "table-1", startTime(), restaurant.Default)
	set := func(mode restaurant.SessionMode, now time.Time) {
		wantCode(t, "SetSession", s.SetSession(t.Context(), "bakery", "table-1", mode, now), "")
	}
	set(restaurant.Restaurant, startTime())
	wantMode(t, s, "table-1", startTime().Add(restaurant.Idle-1), restaurant.Restaurant)
	set(restaurant.Restaurant, startTime()) // the last TouchSession restarted the idle timeout
	wantMode(t, s, "table-1", startTime().Add(restaurant.Idle), restaurant.Default)
	wantMode(t, s, "table-2", startTime(), restaurant.Default)
	set(restaurant.Default, startTime().Add(time.Minute))
	wantMode(t, s, "table-1", startTime().Add(time.Minute), restaurant.Default)
	set(restaurant.Default, startTime().Add(time.Minute))
	for _, id := range []string{"", "a/b", "a b"} {
		err := s.SetSession(t.Context(), "bakery", id, restaurant.Restaurant, startTime())
		wantCode(t, "session "+id, err, store.CodeInvalid)
	}
}

// sessionTouched: a request restarts the idle timeout, but never enters the mode.
func sessionTouched(t *testing.T, s store.Store) {
	wantCode(t, "SetSession", s.SetSession(t.Context(), "bakery", "a", restaurant.Restaurant, startTime()), "")
	touch := func(after time.Duration, want restaurant.SessionMode) {
		t.Helper()
		session, err := s.TouchSession(t.Context(), "bakery", "a", startTime().Add(after))
		if wantCode(t, "TouchSession", err, ""); session.Mode != want || session.ID != "a" || session.OrgID != "bakery" {
			t.Fatalf("touched after %v: %+v, want mode %s", after, session, want)
		}
	}
	touch(20*time.Minute, restaurant.Restaurant)
	touch(10*time.Minute, restaurant.Restaurant) // a late request does not set the time back
	touch(49*time.Minute, restaurant.Restaurant)
	touch(79*time.Minute, restaurant.Default)
	wantMode(t, s, "a", startTime().Add(80*time.Minute), restaurant.Default)
	wantCode(t, "SetSession", s.SetSession(t.Context(), "bakery", "a", restaurant.Default, startTime()), "")
	touch(0, restaurant.Default)
}

// sessionsExpire: all idle sessions are removed, and no others.
func sessionsExpire(t *testing.T, s store.Store) {
	const n = 1200
	for i := range n {
		at := startTime().Add(time.Duration(i%2) * time.Hour)
		err := s.SetSession(t.Context(), "bakery", fmt.Sprint("s", i), restaurant.Restaurant, at)
		wantCode(t, "SetSession", err, "")
	}
	for _, want := range []int{n / 2, 0} {
		gone, err := s.ExpireSessions(t.Context(), startTime().Add(time.Hour))
		if wantCode(t, "ExpireSessions", err, ""); gone != want {
			t.Fatalf("%d sessions expired, want %d", gone, want)
		}
	}
	wantMode(t, s, "s1", startTime().Add(time.Hour), restaurant.Restaurant)
}

// testPhrases: phrases are nil without a record, stored unchanged, and removed by nil.
func testPhrases(t *testing.T, s store.Store) {
	addOrganizations(t, s, "bakery")
	want := restaurant.PhraseSet{Bias: []string{"شاورما", "برجر"}, Enter: []string{}, UpdatedAt: startTime()}
	wantCode(t, "phrases of nobody", ReplacePhrases(t.Context(), s, "nobody", want, asked, startTime()), store.CodeNotFound)
	for _, put := range []restaurant.PhraseSet{{}, want, {}} {
		wantCode(t, "ChangePhrases", ReplacePhrases(t.Context(), s, "bakery", put, asked, startTime()), "")
		got, err := s.FindPhrases(t.Context(), "bakery")
		wantCode(t, "Phrases", err, "")
		if (got == nil) != put.IsEmpty() {
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

// wantMode fails unless the bakery's session is in the mode at now.
func wantMode(t *testing.T, s store.Store, id string, now time.Time, want restaurant.SessionMode) {
	t.Helper()
	session, err := s.TouchSession(t.Context(), "bakery", id, now)
	if wantCode(t, "TouchSession", err, ""); session.Mode != want || session.ID != id || session.OrgID != "bakery" {
		t.Fatalf("session %+v, want mode %s", session, want)
	}
}
